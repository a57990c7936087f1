// For tests of jobs: runs the due jobs, and checks the store's invariants.

import { expect } from "vitest";
import type { VirtualClock } from "../development/clocks.ts";
import { createJobRunner, type JobHandler } from "../dispatch/jobs/runner.ts";
import { checkInvariants } from "../store/invariants.ts";
import type { Store } from "../store/store.ts";

/** Runs every due job, and the jobs that these schedule for the same time. No job may fail. */
export async function runDueJobs({
  store,
  clock,
  handlers,
}: {
  store: Store;
  clock: VirtualClock;
  handlers: Readonly<Record<string, JobHandler>>;
}): Promise<void> {
  const jobs = createJobRunner({
    store,
    clock,
    handlers,
    logger: { warn: () => undefined, error: (details) => expect(details).toBeUndefined() },
    notifyDispatcher: () => undefined,
    notifySynthesizer: () => undefined,
    notifyCallbacks: () => undefined,
  });
  clock.watch(() => jobs.isBusy());
  jobs.start();
  await clock.settle();
  await jobs.stop();
  await expectInvariants(store);
}

export async function expectInvariants(store: Store): Promise<void> {
  const reports = await store.read(checkInvariants);
  expect(reports.filter(({ faults }) => faults.length > 0)).toEqual([]);
}
