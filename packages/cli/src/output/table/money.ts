/** Formats amounts of money, recognised by field name. In the contract they are US dollars, or cents if the name says so. */

const DOLLARS = /(?:Cost|Charges|Markup)$/;
const CENTS = /Cents$/;

/** Formats a number with its unit; undefined if it is not money. */
export function formatMoney(name: string, value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  if (CENTS.test(name)) return `${value} cents`;
  return DOLLARS.test(name) ? `${dollars(Number(value))} USD` : undefined;
}

/** Formats an amount with as many decimals as it has: at least two, and at most six, as in the contract. */
function dollars(value: number): string {
  return value.toFixed(6).replace(/0{1,4}$/, "");
}
