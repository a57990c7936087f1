/** Formats an amount with its significant decimals: two at least, six at most. */
export function toDollars(amount: number): string {
  return `$${amount.toFixed(6).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}
