// Removes batches that never were accepted: their request was refused or failed in the middle, or its process died.

import { totalsOfNew } from "../../steps/call-acceptance.ts";
import { REMOVE_CALLS, removeCallsJob } from "../../steps/call-jobs.ts";
import { giveUp } from "../../steps/call-slices.ts";
import { listAcceptances } from "../../store/call-acceptances.ts";
import { extendBatch, findHiddenBatch, removeBatch } from "../../store/call-batches.ts";
import { removeCalls } from "../../store/calls.ts";
import { rescheduleJob, scheduleJob } from "../../store/jobs.ts";
import type { Store } from "../../store/store.ts";
import type { JobContext, JobHandler } from "../jobs/runner.ts";

/** Calls that one step removes: 1 to 2 ms. */
const BITE_CALLS = 100;

/** The handler of the step that gives up a batch, takes a bite of it, and puts the next one in line. */
export const removalJobs: Readonly<Record<string, JobHandler>> = {
  [REMOVE_CALLS]: (context, subject) => removeSome(context, Number(subject)),
};

/** Gives up what was being accepted, and has it removed: for a process that knows whoever accepted it to be dead. */
export async function endOpenAcceptances(store: Store, now: number): Promise<void> {
  await store.write(async (tx) => {
    for (const { batchId, jobId } of await listAcceptances(tx)) {
      await giveUp(tx, batchId);
      await rescheduleJob(tx, jobId, now);
    }
  });
}

async function removeSome({ tx, now }: JobContext, batchId: number): Promise<void> {
  // whoever is still accepting it finds that it is over
  await giveUp(tx, batchId);
  const batch = await findHiddenBatch(tx, batchId);
  if (batch === undefined) return;
  const removed = await removeCalls(tx, batchId, BITE_CALLS);
  if (removed.length === batch.totalCalls) return removeBatch(tx, batchId);
  const admittedCalls = removed.filter(({ status }) => status !== "REJECTED").length;
  await extendBatch(tx, batchId, { ...totalsOfNew(removed, batch), admittedCalls, totalCalls: removed.length }, -1);
  await scheduleJob(tx, { tenantId: batch.tenantId, ...removeCallsJob(batchId, now) });
}
