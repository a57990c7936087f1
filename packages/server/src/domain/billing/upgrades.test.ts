import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largestUpgradeCeilingCents, priceUpgrade } from "./rules.ts";

const most = Number.MAX_SAFE_INTEGER;
const ceiling = largestUpgradeCeilingCents;
const channels = fc.constantFrom("SMS", "VOICE", "EMAIL");
const tenths = { SMS: 10n, VOICE: 30n, EMAIL: 1n } as const;

describe("priceUpgrade", () => {
  it.each([
    ["SMS", { units: 500 }, { units: 500, amountCents: 500 }],
    ["VOICE", { units: 7 }, { units: 7, amountCents: 21 }],
    ["EMAIL", { units: 1 }, { units: 1, amountCents: 1 }],
    ["EMAIL", { units: 10 }, { units: 10, amountCents: 1 }],
    ["EMAIL", { units: 11 }, { units: 11, amountCents: 2 }],
    ["SMS", { amountCents: 500 }, { units: 500, amountCents: 500 }],
    ["VOICE", { amountCents: 10 }, { units: 3, amountCents: 10 }],
    ["EMAIL", { amountCents: 1 }, { units: 10, amountCents: 1 }],
    ["VOICE", { units: 3, amountCents: 9 }, { units: 3, amountCents: 9 }],
    ["VOICE", { units: 3, amountCents: 10 }, { units: 3, amountCents: 10 }],
    ["EMAIL", { units: 5, amountCents: 1 }, { units: 5, amountCents: 1 }],
    ["SMS", { units: ceiling }, { units: ceiling, amountCents: ceiling }],
    ["EMAIL", { amountCents: ceiling }, { units: ceiling * 10, amountCents: ceiling }],
  ] as const)("prices an upgrade of %s by %j as %j", (channel, asked, upgrade) => {
    expect(priceUpgrade(channel, asked, ceiling)).toEqual({ upgrade });
  });

  it.each([
    ["SMS", {}, "units", "required", /received neither/],
    ["SMS", { units: 5, amountCents: 4 }, "amountCents", "not_allowed", /Expected 5 for 5 SMS units; received 4/],
    ["VOICE", { units: 3, amountCents: 12 }, "amountCents", "not_allowed", /Expected 9/],
    ["EMAIL", { units: 11, amountCents: 1 }, "amountCents", "not_allowed", /Expected 2/],
    ["VOICE", { amountCents: 2 }, "amountCents", "out_of_range", /Expected 3 or more/],
    ["VOICE", { units: most }, "units", "out_of_range", /for 999999999999 cents or less.*cost 27021597764222973\.$/],
    ["EMAIL", { amountCents: most }, "amountCents", "out_of_range", /Expected 999999999999 cents or less/],
    ["SMS", { units: 1, amountCents: most }, "amountCents", "out_of_range", /Expected 999999999999 cents or less/],
  ] as const)("refuses an upgrade of %s by %j, with a fault in %s", (channel, asked, field, code, detail) => {
    expect(priceUpgrade(channel, asked, ceiling)).toEqual({
      fault: { field, code, detail: expect.stringMatching(detail) },
    });
  });

  it.each([
    ["VOICE", { units: 33 }, { upgrade: { units: 33, amountCents: 99 } }],
    ["VOICE", { amountCents: 100 }, { upgrade: { units: 33, amountCents: 100 } }],
    ["VOICE", { units: 34 }, { fault: { field: "units", detail: expect.stringContaining("for 100 cents or less") } }],
    ["VOICE", { amountCents: 101 }, { fault: { field: "amountCents" } }],
  ] as const)(
    "refuses an upgrade of %s by %j only if it costs more than the operator's limit",
    (channel, asked, priced) => {
      expect(priceUpgrade(channel, asked, 100)).toMatchObject(priced);
    },
  );

  it("never charges less than the price, and never a whole unit too much", () => {
    fc.assert(
      fc.property(channels, fc.integer({ min: 1, max: 1_000_000_000 }), fc.boolean(), (channel, value, byUnits) => {
        const priced = priceUpgrade(channel, byUnits ? { units: value } : { amountCents: value }, ceiling);
        if ("fault" in priced) {
          expect([channel, byUnits, value < 3]).toEqual(["VOICE", false, true]);
          return;
        }
        const { units, amountCents } = priced.upgrade;
        const worth = BigInt(units) * tenths[channel];
        const paid = BigInt(amountCents) * 10n;
        expect(paid >= worth).toBe(true);
        expect(paid - worth < (byUnits ? 10n : tenths[channel])).toBe(true);
        expect(priceUpgrade(channel, { units, amountCents }, ceiling)).toEqual(priced);
      }),
    );
  });
});
