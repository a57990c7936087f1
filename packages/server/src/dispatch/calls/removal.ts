// Removes batches that were never accepted because their request was refused, failed midway, or lost its process.

import { giveUp, totalsOfNew } from "../../domain/calls/accept.ts";
import { extendBatch, findHiddenBatch, listAcceptances, removeBatch } from "../../domain/calls/batch-rows.ts";
import { REMOVE_CALLS, removeCallsJob } from "../../domain/calls/progress.ts";
import { removeCalls } from "../../domain/calls/rows.ts";
import { reached } from "../../platform/probes.ts";
import { lockJob, rescheduleJob, scheduleJob } from "../../store/jobs.ts";
import type { Store } from "../../store/store.ts";
import type { JobContext, JobHandler } from "../jobs/runner.ts";

/** Maximum number of calls removed per job. */
const BITE_CALLS = 100;

/** Handler of the job that gives up a batch, removes some of its calls, and schedules the next such job. */
export const removalJobs: Readonly<Record<string, JobHandler>> = {
  [REMOVE_CALLS]: (context, subject) => removeSome(context, Number(subject)),
};

/** Gives up all unfinished acceptances, whose process is known to be dead, and schedules the removal of their batches. */
export async function endOpenAcceptances(store: Store, now: number): Promise<void> {
  await store.write(async (tx) => {
    for (const { batchId, jobId } of await listAcceptances(tx)) {
      reached("a batch is removed because its process died while accepting it");
      lockJob(tx, jobId);
      await giveUp(tx, batchId);
      await rescheduleJob(tx, jobId, now);
    }
  });
}

async function removeSome({ tx, now }: JobContext, batchId: number): Promise<void> {
  // if a process is still accepting the batch, it will find that the batch was given up
  await giveUp(tx, batchId);
  const batch = await findHiddenBatch(tx, batchId);
  if (batch === undefined) return;
  reached("a batch that was never accepted is removed");
  const removed = await removeCalls(tx, batchId, BITE_CALLS);
  if (removed.length === batch.totalCalls) return removeBatch(tx, batchId);
  const admittedCalls = removed.filter(({ status }) => status !== "REJECTED").length;
  await extendBatch(tx, batchId, { ...totalsOfNew(removed, batch), admittedCalls, totalCalls: removed.length }, -1);
  await scheduleJob(tx, { tenantId: batch.tenantId, ...removeCallsJob(batchId, now) });
}
