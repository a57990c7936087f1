/** An amount with as many of its six decimals as say something, and two at least. */
export function toDollars(amount: number): string {
  return `$${amount.toFixed(6).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}
