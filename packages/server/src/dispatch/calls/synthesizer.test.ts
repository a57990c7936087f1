// Tests the order in which speech is made if an engine cannot keep up.

import { afterEach, beforeEach, expect, it } from "vitest";
import type { SpeechEngine } from "../../carriers/speech/engine.ts";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { requestSpeech } from "../../domain/calls/speech-rows.ts";
import type { Store } from "../../store/store.ts";
import { onlyEngine } from "../../testing/calls.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { createSynthesizer } from "./synthesizer.ts";

const SECOND_MS = 1_000;

let clock: VirtualClock;
let store: Store;
/** The texts that were spoken, in order. */
let spoken: string[];
let mostAtOnce: number;
beforeEach(async () => {
  clock = createVirtualClock(Date.UTC(2026, 0, 15, 18));
  store = await openTestStore({ now: clock.now });
  [spoken, mostAtOnce] = [[], 0];
});
afterEach(() => store.close());

async function request(tenantId: number, count: number): Promise<void> {
  await store.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const messageText = `${tenantId}-${index}`;
      const wanted = { cacheKey: messageText, provider: "slow", model: "slow-1", voice: "default", language: "en-US" };
      const now = clock.now();
      const owner = { ownerRequestId: 1, tenantId, hasBegun: false, giveUpAt: now + 3_600 * SECOND_MS };
      await requestSpeech(tx, { ...wanted, ...owner, messageText, now });
    }
  });
}

/** Creates an engine that takes a second per speech. */
function slowEngine(): SpeechEngine {
  let atOnce = 0;
  return {
    ...{ name: "slow", model: "slow-1", voiceFor: () => "default" },
    async synthesize({ text }) {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      spoken.push(text);
      await new Promise<void>((resolve) => clock.at(clock.now() + SECOND_MS, resolve));
      atOnce -= 1;
      return { outcome: "made" };
    },
    find: async () => "absent",
  };
}

it("one tenant's many texts do not delay another tenant's", async () => {
  await request(1, 100);
  await clock.advanceBy(SECOND_MS);
  await request(2, 2);
  await request(3, 2);
  const logger = { warn: () => undefined, error: (details: object) => expect(details).toBeUndefined() };
  const engines = onlyEngine(slowEngine());
  const synthesizer = createSynthesizer({ store, clock, logger, engines, notifyJobs: () => undefined, atOnce: 2 });
  clock.watch(() => synthesizer.isBusy());
  await synthesizer.start();
  for (let second = 0; second < 8; second += 1) await clock.advanceBy(SECOND_MS);
  await synthesizer.stop();
  expect(mostAtOnce).toBe(2);
  const turnOf = (text: string) => spoken.indexOf(text);
  for (const text of ["2-0", "3-0"]) expect(turnOf(text), `${spoken}`).toBeLessThan(4);
  for (const text of ["2-1", "3-1"]) expect(turnOf(text), `${spoken}`).toBeLessThan(8);
  // each tenant's texts are spoken in order
  expect(spoken.filter((text) => text.startsWith("1-"))).toEqual(
    spoken
      .filter((text) => text.startsWith("1-"))
      .toSorted((one, other) => Number(one.slice(2)) - Number(other.slice(2))),
  );
});

it("a process whose claim outlasts its lease leaves the speech to the next lease holder", async () => {
  await request(1, 1);
  const logger = { warn: () => undefined, error: (details: object) => expect(details).toBeUndefined() };
  const shared = { clock, logger, engines: onlyEngine(slowEngine()), notifyJobs: () => undefined };
  let isSlow = true;
  const slowStore: Store = {
    ...store,
    async write(work) {
      const value = await store.write(work);
      if (isSlow) await new Promise<void>((resolve) => clock.at(clock.now() + 70 * SECOND_MS, resolve));
      isSlow = false;
      return value;
    },
  };
  const late = createSynthesizer({ ...shared, store: slowStore });
  const other = createSynthesizer({ ...shared, store, pollIntervalMs: SECOND_MS });
  await late.start();
  await clock.advanceBy(SECOND_MS);
  await other.start();
  clock.watch(() => other.isBusy());
  for (let second = 0; second < 80; second += 1) await clock.advanceBy(SECOND_MS);
  expect(spoken).toEqual(["1-0"]);
  await Promise.all([late.stop(), other.stop()]);
});
