import { expect, it } from "vitest";
import { type BatchDetails, listSteps, remainingMs } from "./batch-steps.tsx";

const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, second)).toISOString();
const now = new Date(at(60));
const none = { count: 0, isMore: false };

const batch = {
  ...{ createdAt: at(0), completedAt: null, totalCalls: 100, success: 0, partial: 0, failed: 0, pending: 100 },
  ...{ scheduled: 0, provisionalCount: 100, ttsCacheHits: 0, ttsCacheMisses: 0 },
} as unknown as BatchDetails["batch"];

const queued: BatchDetails = {
  batch,
  ...{ refused: 0, scheduledAt: null, startedAt: null, spokenAt: null, nextStartAt: null, lastStartAt: null },
  ...{ callbackUrl: null, callbacks: { pending: none, delivered: none, failed: none }, endCallback: null },
};

const over: BatchDetails = {
  ...queued,
  ...{ startedAt: at(1), spokenAt: at(2), refused: 3 },
  batch: {
    ...batch,
    ...{ completedAt: at(50), success: 80, partial: 10, failed: 10, pending: 0, provisionalCount: 0, ttsCacheHits: 96 },
    ttsCacheMisses: 1,
  },
};

const titlesOf = (details: BatchDetails) => listSteps(details, now).map(({ title, at: time }) => [title, time]);

it("lists the steps of a batch, and what remains", () => {
  expect(titlesOf(queued)).toEqual([
    ["Accepted", at(0)],
    ["100 calls to go", null],
  ]);
  const steps = listSteps(over, now);
  expect(steps.map(({ title, detail }) => [title, detail])).toEqual([
    ["Accepted", "100 numbers, 3 of which consent or quota refused."],
    ["First call started", undefined],
    ["Speech ready", "For 96 calls from the cache, for 1 newly generated."],
    ["Last call ended", "80 heard to the end, 10 in part, 10 failed."],
  ]);
  const unpriced = { ...over, batch: { ...over.batch, provisionalCount: 1 } };
  expect(titlesOf(unpriced).at(-1)).toEqual(["1 call not yet priced", null]);
});

it("lists the callbacks at the time of the last one, or as yet to come", () => {
  const endCallback = {
    ...{ webhookId: "evt_1", type: "voice.tts_batch.finalized", attempts: 1, lastOutcome: "200", updatedAt: at(51) },
  } as NonNullable<BatchDetails["endCallback"]>;
  const told = (pending: number, delivered: number, failed: number) => ({
    ...over,
    callbackUrl: "https://hooks.example.com/",
    callbacks: {
      pending: { ...none, count: pending },
      delivered: { ...none, count: delivered },
      failed: { ...none, count: failed },
    },
    endCallback,
  });
  expect(titlesOf(told(0, 4, 0)).at(-1)).toEqual(["Callbacks delivered", at(51)]);
  expect(titlesOf(told(0, 4, 1)).at(-1)).toEqual(["Callbacks failed", at(51)]);
  expect(titlesOf(told(1, 4, 1)).at(-1)).toEqual(["Callbacks pending", null]);
  // the callbacks of a batch that ended a week ago are no longer kept
  expect(titlesOf({ ...told(0, 0, 0), endCallback: null }).at(-1)).toEqual(["Last call ended", at(50)]);
});

it.each([
  ["at the pace so far", { success: 40, failed: 13, pending: 47 }, { refused: 3 }, 47 * (59_000 / 50)],
  ["not known from few calls", { success: 19, pending: 81 }, {}, undefined],
  ["not known from refusals", { failed: 50, pending: 50 }, { refused: 50 }, undefined],
  ["not known soon after the start", { success: 50, pending: 50 }, { startedAt: at(55) }, undefined],
  ["not known if a rule delayed calls", { success: 50, pending: 50 }, { scheduledAt: at(0) }, undefined],
])("the time that the calls in progress take is %s", (_what, counts, details, ms) => {
  const known = { ...queued, startedAt: at(1), ...details, batch: { ...batch, ...counts } };
  expect(remainingMs(known, now)).toBe(ms);
});
