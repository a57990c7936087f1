// Amounts as Stripe's API has them: integers in the smallest unit of a currency.
// https://docs.stripe.com/currencies#minor-units

/** Currencies without a smaller unit: https://docs.stripe.com/currencies#zero-decimal */
const wholeUnits = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/** Currencies whose amounts Stripe treats in ways of their own: https://docs.stripe.com/currencies#special-cases */
const special = new Set("BHD HUF ISK JOD KWD OMR TND TWD UGX".split(" "));

const CENTS = 100;

/** Returns whether amounts in this currency can be converted. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && !special.has(code);
}

/** Converts hundredths of a currency. Returns undefined if Stripe has no such amount, such as half a yen. */
export function toStripeAmount(amountCents: number, currency: string): number | undefined {
  if (!wholeUnits.has(currency)) return amountCents;
  return amountCents % CENTS === 0 ? amountCents / CENTS : undefined;
}

/** Converts an amount of Stripe's to hundredths of a currency. */
export function toCents(amount: number, currency: string): number {
  return wholeUnits.has(currency) ? amount * CENTS : amount;
}
