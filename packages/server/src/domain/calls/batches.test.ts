import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addTotals,
  type BatchTotals,
  batchStatus,
  type CountedCall,
  cacheHitRatio,
  noTotals,
  totalsOf,
} from "./rules.ts";

const micros = fc.nat(1_000_000);
const calls: fc.Arbitrary<CountedCall> = fc.record({
  finalStatus: fc.constantFrom("PENDING", "SCHEDULED", "SUCCESS", "PARTIAL", "FAILED"),
  billingState: fc.constantFrom("PROVISIONAL", "FINALIZED"),
  cacheStatus: fc.constantFrom("PENDING", "HIT", "MISS"),
  executedAt: fc.option(fc.nat()),
  estimatedSpeechMicros: micros,
  estimatedCallMicros: micros,
  speechMicros: fc.option(micros),
  callMicros: fc.option(micros),
});

const sum = (batch: readonly CountedCall[]) =>
  batch.map(totalsOf).reduce((total, call) => addTotals(total, call), noTotals);

function expectInvariants(totals: BatchTotals, count: number): void {
  const { success, failed, partial, pending, scheduled, finalized, speechMicros, callMicros, finalizedMicros } = totals;
  expect(success + failed + partial + pending + scheduled).toBe(count);
  expect(finalized).toBeLessThanOrEqual(count);
  const provisionalMicros = speechMicros + callMicros - finalizedMicros;
  expect(provisionalMicros).toBeGreaterThanOrEqual(0);
  expect(finalizedMicros).toBeGreaterThanOrEqual(0);
  if (finalized === count) expect(provisionalMicros).toBe(0);
  if (finalized === 0) expect(finalizedMicros).toBe(0);
}

describe("a batch's totals", () => {
  it("are the sums over any calls", () => {
    fc.assert(fc.property(fc.array(calls), (batch) => expectInvariants(sum(batch), batch.length)));
  });

  it("that are updated with each change equal the sums over the changed calls", () => {
    const changes = fc.array(fc.tuple(fc.nat(), calls), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(calls, { minLength: 1, maxLength: 8 }), changes, (start, sequence) => {
        const batch = [...start];
        let kept = sum(batch);
        for (const [position, changed] of sequence) {
          const index = position % batch.length;
          const before = batch[index] ?? changed;
          kept = addTotals(kept, addTotals(totalsOf(changed), totalsOf(before), -1));
          batch[index] = changed;
          expectInvariants(kept, batch.length);
        }
        expect(kept).toEqual(sum(batch));
      }),
    );
  });
});

describe("batchStatus", () => {
  const none = { success: 0, failed: 0, partial: 0, pending: 0, scheduled: 0, begun: 0 };
  it.each([
    [{ pending: 3 }, "QUEUED"],
    [{ pending: 2, scheduled: 1 }, "QUEUED"],
    [{ scheduled: 3 }, "SCHEDULED"],
    [{ scheduled: 2, failed: 1 }, "SCHEDULED"],
    [{ pending: 3, begun: 1 }, "IN_PROGRESS"],
    [{ scheduled: 2, success: 1, begun: 1 }, "IN_PROGRESS"],
    [{ success: 3, begun: 3 }, "COMPLETED"],
    [{ success: 2, partial: 1, begun: 3 }, "COMPLETED"],
    [{ success: 2, failed: 1, begun: 3 }, "COMPLETED_WITH_ERRORS"],
    [{ partial: 1, failed: 2, begun: 3 }, "COMPLETED_WITH_ERRORS"],
    [{ failed: 3, begun: 3 }, "FAILED"],
  ])("returns for %j: %s", (counters, expected) => {
    expect(batchStatus({ ...none, ...counters })).toBe(expected);
  });
});

it.each([
  [0, 0, 0],
  [0, 5, 0],
  [5, 0, 1],
  [2, 1, 0.666667],
])("cacheHitRatio of %i hits and %i misses is %d", (hits, misses, ratio) => {
  expect(cacheHitRatio({ hits, misses })).toBe(ratio);
});
