import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  availableUnits,
  creditsToReturn,
  crossedThresholds,
  nextThreshold,
  type Quota,
  reserveUnits,
  suggestLimit,
} from "./rules.ts";

const quotas = fc.record({
  limit: fc.nat(1_000),
  used: fc.nat(1_000),
  reserved: fc.nat(1_000),
  credits: fc.nat(1_000),
});

describe("reserveUnits", () => {
  it.each<[Quota, number, { creditUnits: number } | undefined, string]>([
    [{ limit: 10, used: 0, reserved: 0, credits: 5 }, 1, { creditUnits: 0 }, "the allowance drains first"],
    [
      { limit: 10, used: 9, reserved: 0, credits: 5 },
      3,
      { creditUnits: 2 },
      "credits pay for units that exceed the allowance",
    ],
    [{ limit: 10, used: 4, reserved: 6, credits: 5 }, 5, { creditUnits: 5 }, "reserved units are not available again"],
    [{ limit: 10, used: 4, reserved: 6, credits: 5 }, 6, undefined, "the allowance and the credits are one unit short"],
    [{ limit: 0, used: 0, reserved: 0, credits: 0 }, 1, undefined, "the merchant has no units"],
    [{ limit: 5, used: 9, reserved: 0, credits: 2 }, 2, { creditUnits: 2 }, "a limit below the usage takes no credits"],
    [
      { limit: 5, used: 9, reserved: 0, credits: 2 },
      3,
      undefined,
      "a limit below the usage allows only units that credits pay for",
    ],
  ])("returns for the quota %j and %i units %j: %s", (quota, units, expected) => {
    expect(reserveUnits(quota, units)).toEqual(expected);
  });

  it("reserves exactly the available units, and takes no credits while the allowance lasts", () => {
    fc.assert(
      fc.property(quotas, fc.integer({ min: 1, max: 3_000 }), (quota, units) => {
        const reservation = reserveUnits(quota, units);
        expect(reservation !== undefined).toBe(units <= availableUnits(quota));
        if (reservation === undefined) return;
        const allowance = Math.max(0, quota.limit - quota.used - quota.reserved);
        expect(reservation.creditUnits).toBe(Math.max(0, units - allowance));
        expect(reservation.creditUnits).toBeLessThanOrEqual(quota.credits);
      }),
    );
  });

  it("leaves exactly the remaining units to the next send", () => {
    fc.assert(
      fc.property(quotas, fc.integer({ min: 1, max: 3_000 }), (quota, units) => {
        const reservation = reserveUnits(quota, units);
        if (reservation === undefined) return;
        const after = {
          ...quota,
          reserved: quota.reserved + units,
          credits: quota.credits - reservation.creditUnits,
        };
        expect(availableUnits(after)).toBe(availableUnits(quota) - units);
      }),
    );
  });
});

describe("suggestLimit", () => {
  it.each([
    [{ used: 0, reserved: 0 }, 1, 100],
    [{ used: 99, reserved: 0 }, 1, 100],
    [{ used: 60, reserved: 40 }, 1, 1_000],
    [{ used: 1_100, reserved: 0 }, 3, 10_000],
    [{ used: Number.MAX_SAFE_INTEGER - 1, reserved: 0 }, 1, Number.MAX_SAFE_INTEGER],
  ])("suggests for %j and %d more units: %d", (use, units, expected) => {
    expect(suggestLimit({ limit: 0, credits: 0, ...use }, units)).toBe(expected);
  });
});

describe("creditsToReturn", () => {
  it("loses and adds no unit, in any order of sends, outcomes and releases", () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(50), fc.integer({ min: 1, max: 5 })), { maxLength: 60 });
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), steps, (limit, credits, sequence) => {
        const quota = { limit, used: 0, reserved: 0, credits };
        const sends: { units: number; creditUnits: number }[] = [];
        let paidByCredits = 0;
        for (const [isSend, choice, units] of sequence) {
          const reservation = isSend ? reserveUnits(quota, units) : undefined;
          if (reservation !== undefined) {
            sends.push({ units, ...reservation });
            quota.reserved += units;
            quota.credits -= reservation.creditUnits;
            paidByCredits += reservation.creditUnits;
          } else {
            const [send] = sends.splice(choice % Math.max(1, sends.length), 1);
            if (send === undefined) continue;
            const outstanding = quota.used + quota.reserved;
            quota.reserved -= send.units;
            if (choice % 2 === 0) {
              quota.used += send.units;
            } else {
              const { units: released, creditUnits: ownCreditUnits } = send;
              const creditUnits = paidByCredits;
              const back = creditsToReturn({ limit, outstanding, creditUnits, units: released, ownCreditUnits });
              quota.credits += back;
              paidByCredits -= back;
            }
          }
          expect(availableUnits(quota)).toBe(limit + credits - quota.used - quota.reserved);
        }
      }),
    );
  });

  it.each([
    [
      { limit: 9, outstanding: 2, creditUnits: 1, units: 1, ownCreditUnits: 1 },
      1,
      "credits return to their send although the limit was raised",
    ],
    [
      { limit: 1, outstanding: 5, creditUnits: 0, units: 1, ownCreditUnits: 0 },
      0,
      "no credits return that were never taken, although the limit was lowered",
    ],
    [{ limit: 1, outstanding: 2, creditUnits: 0, units: 1, ownCreditUnits: 1 }, 0, "no credits return twice"],
  ])("returns for %j %i: %s", (release, credits) => {
    expect(creditsToReturn(release)).toBe(credits);
  });
});

describe("crossedThresholds", () => {
  it.each([
    [{ limit: 100, usedBefore: 49, usedAfter: 50 }, [50]],
    [{ limit: 100, usedBefore: 50, usedAfter: 51 }, []],
    [{ limit: 100, usedBefore: 0, usedAfter: 100 }, [50, 80, 90, 100]],
    [{ limit: 3, usedBefore: 1, usedAfter: 2 }, [50]],
    [{ limit: 3, usedBefore: 2, usedAfter: 3 }, [80, 90, 100]],
    [{ limit: 1, usedBefore: 0, usedAfter: 1 }, [50, 80, 90, 100]],
    [{ limit: 100, usedBefore: 100, usedAfter: 120 }, []],
    [{ limit: 0, usedBefore: 0, usedAfter: 5 }, []],
    [{ limit: Number.MAX_SAFE_INTEGER, usedBefore: 0, usedAfter: Number.MAX_SAFE_INTEGER - 1 }, [50, 80, 90]],
  ])("returns for %j: %j", (use, percents) => {
    expect(crossedThresholds(use).map(({ percent }) => percent)).toEqual(percents);
  });

  it("returns the severities INFO, WARNING and CRITICAL", () => {
    expect(crossedThresholds({ limit: 10, usedBefore: 0, usedAfter: 10 })).toEqual([
      { percent: 50, severity: "INFO" },
      { percent: 80, severity: "WARNING" },
      { percent: 90, severity: "WARNING" },
      { percent: 100, severity: "CRITICAL" },
    ]);
  });

  it("returns each threshold once, in however many steps usage grows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.array(fc.nat(400), { maxLength: 40 }), (limit, steps) => {
        let used = 0;
        const crossed: number[] = [];
        for (const units of steps) {
          crossed.push(
            ...crossedThresholds({ limit, usedBefore: used, usedAfter: used + units }).map(({ percent }) => percent),
          );
          used += units;
        }
        expect(crossed).toEqual([50, 80, 90, 100].filter((percent) => used * 100 >= limit * percent));
      }),
    );
  });
});

describe("nextThreshold", () => {
  it.each([
    [{ limit: 100, used: 0 }, 50],
    [{ limit: 100, used: 49 }, 50],
    [{ limit: 100, used: 50 }, 80],
    [{ limit: 3, used: 2 }, 3],
    [{ limit: 100, used: 100 }, undefined],
    [{ limit: 0, used: 5 }, undefined],
  ])("returns for %j: %s", (use, threshold) => {
    expect(nextThreshold(use)).toBe(threshold);
  });

  it("returns the lowest usage that crosses another threshold", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.nat(5_000),
        fc.integer({ min: 1, max: 400 }),
        (limit, used, units) => {
          const threshold = nextThreshold({ limit, used }) ?? Number.POSITIVE_INFINITY;
          const crossed = crossedThresholds({ limit, usedBefore: used, usedAfter: used + units });
          expect(crossed.length > 0).toBe(used + units >= threshold);
        },
      ),
    );
  });
});
