import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineCost, microsToAmount } from "./rules.ts";

describe("lineCost", () => {
  it.each([
    [{ units: 1, unitCostMicros: 7_900, markupPercent: 20 }, 7_900, 1_580],
    [{ units: 3, unitCostMicros: 7_900, markupPercent: 20 }, 23_700, 4_740],
    [{ units: 1, unitCostMicros: 100, markupPercent: 20 }, 100, 20],
    [{ units: 0, unitCostMicros: 100, markupPercent: 20 }, 0, 0],
    [{ units: 1, unitCostMicros: 2, markupPercent: 20 }, 2, 0],
    [{ units: 1, unitCostMicros: 5, markupPercent: 10 }, 5, 1],
    [{ units: 1, unitCostMicros: 25, markupPercent: 10 }, 25, 3],
    [{ units: 1, unitCostMicros: 1_000, markupPercent: 12.34 }, 1_000, 123],
    [{ units: 7, unitCostMicros: 100, markupPercent: 0 }, 700, 0],
  ])("computes for %j a base of %i and a markup of %i", (line, baseMicros, markupMicros) => {
    expect(lineCost(line)).toEqual({ baseMicros, markupMicros, finalMicros: baseMicros + markupMicros });
  });

  it("rounds half up like exact integer arithmetic, and the parts add up", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.nat(1_000_000_000),
        fc.integer({ min: 0, max: 50_000 }),
        (units, unitCostMicros, hundredths) => {
          const cost = lineCost({ units, unitCostMicros, markupPercent: hundredths / 100 });
          const base = BigInt(units) * BigInt(unitCostMicros);
          expect(BigInt(cost.baseMicros)).toBe(base);
          expect(BigInt(cost.markupMicros)).toBe((base * BigInt(hundredths) + 5_000n) / 10_000n);
          expect(cost.finalMicros).toBe(cost.baseMicros + cost.markupMicros);
        },
      ),
    );
  });

  it.each([
    { units: Number.MAX_SAFE_INTEGER, unitCostMicros: 2, markupPercent: 0 },
    { units: -1, unitCostMicros: 2, markupPercent: 0 },
    { units: 0.5, unitCostMicros: 1, markupPercent: 0 },
    { units: 1, unitCostMicros: 1, markupPercent: -1 },
    { units: 1, unitCostMicros: 1, markupPercent: Number.NaN },
  ])("throws for %j instead of rounding", (line) => {
    expect(() => lineCost(line)).toThrow(RangeError);
  });
});

describe("microsToAmount", () => {
  it.each([
    [0, "0"],
    [1, "0.000001"],
    [7_900, "0.0079"],
    [1_234_567, "1.234567"],
    [8_000_000_000_999_999, "8000000000.999999"],
  ])("writes %i as %s", (micros, json) => {
    expect(JSON.stringify(microsToAmount(micros))).toBe(json);
  });

  it("has at most six decimals, and loses no precision", () => {
    fc.assert(
      fc.property(fc.nat({ max: 8_000_000_000_000_000 }), (micros) => {
        const [whole = "", decimals = ""] = JSON.stringify(microsToAmount(micros)).split(".");
        expect(decimals.length).toBeLessThanOrEqual(6);
        expect(BigInt(whole + decimals.padEnd(6, "0"))).toBe(BigInt(micros));
      }),
    );
  });
});
