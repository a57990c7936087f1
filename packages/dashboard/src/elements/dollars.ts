/** Formats an amount with 2 to 6 decimals. Trailing zeros after the second decimal are dropped. */
export function toDollars(amount: number): string {
  return `$${amount.toFixed(6).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}
