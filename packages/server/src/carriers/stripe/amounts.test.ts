import { expect, it } from "vitest";
import { isCurrency, toCents, toStripeAmount } from "./amounts.ts";

it.each([
  ["USD", 1_999, 1_999],
  ["EUR", 1, 1],
  ["JPY", 50_000, 500],
  ["KRW", 100, 1],
])("converts hundredths of %s and back, exactly", (currency, cents, amount) => {
  expect(isCurrency(currency)).toBe(true);
  expect(toStripeAmount(cents, currency)).toBe(amount);
  expect(toCents(amount, currency)).toBe(cents);
});

it("has no amount for a part of a whole unit", () => {
  expect([toStripeAmount(150, "JPY"), toStripeAmount(99, "VND")]).toEqual([undefined, undefined]);
});

it("leaves out currencies with rules of their own, and what is no currency", () => {
  for (const code of ["KWD", "BHD", "UGX", "ISK", "HUF", "TWD", "usd", "US", "USDT", ""])
    expect(isCurrency(code)).toBe(false);
});
