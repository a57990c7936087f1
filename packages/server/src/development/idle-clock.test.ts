import { expect, it } from "vitest";
import { pepper, secrets } from "../in-process.ts";
import { openService } from "../service.ts";
import { createVirtualClock } from "./clocks.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

it("an idle server is woken only about every third day, for its own jobs", async () => {
  const clock = createVirtualClock(Date.UTC(2026, 0, 15, 12));
  let wakes = 0;
  const counting = {
    ...clock,
    at: (dueMs: number, wake: () => void) =>
      clock.at(dueMs, () => {
        wakes += 1;
        wake();
      }),
  };
  const service = await openService({
    database: { file: ":memory:" },
    simulator: { file: ":memory:" },
    pepper,
    secrets,
    consentPolicy: "strict",
    directoryCredential: "a1-hash",
    idempotencyDays: 7,
    callbackReach: "public",
    clock: counting,
    carrierPollIntervalMs: 500,
    pollIntervalMs: 1_000,
  });
  await service.start();
  clock.watch(service.isBusy);
  await clock.advanceBy(360 * DAY_MS);
  await service.close();
  expect(wakes).toBeGreaterThan(0);
  expect(wakes).toBeLessThanOrEqual(121);
});
