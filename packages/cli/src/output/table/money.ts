/** Formats money, which is known by the name of its field: US dollars in the contract, unless the name says cents. */

const DOLLARS = /(?:Cost|Charges|Markup)$/;
const CENTS = /Cents$/;

/** The number with its unit; undefined for one that is not money. */
export function formatMoney(name: string, value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  if (CENTS.test(name)) return `${value} cents`;
  return DOLLARS.test(name) ? `${dollars(Number(value))} USD` : undefined;
}

/** Formats an amount with its significant decimals, at least the two of a price and at most the contract's six. */
function dollars(value: number): string {
  return value.toFixed(6).replace(/0{1,4}$/, "");
}
