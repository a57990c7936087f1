// Removes batches that never were accepted: their request was refused or failed in the middle, or its process died.

import { totalsOfNew } from "../../operations/call-acceptance.ts";
import { REMOVE_CALLS, removeCallsJob } from "../../operations/call-jobs.ts";
import { abandonAcceptances, endAcceptance } from "../../store/call-acceptances.ts";
import { extendBatch, findHiddenBatch, removeBatch } from "../../store/call-batches.ts";
import { removeCalls } from "../../store/calls.ts";
import { scheduleJob } from "../../store/jobs.ts";
import type { Store } from "../../store/store.ts";
import type { JobContext, JobHandler } from "../jobs.ts";
import { release } from "../settlement.ts";

/** Calls that one step removes: 1 to 2 ms. */
const BITE_CALLS = 100;

/** The handler of the step that takes a bite of a batch, gives back what it held, and puts the next one in line. */
export const removalJobs: Readonly<Record<string, JobHandler>> = {
  [REMOVE_CALLS]: (context, subject) => removeSome(context, Number(subject)),
};

/** Has what was being accepted removed at once: for a process that knows whoever accepted it to be dead. */
export async function endOpenAcceptances(store: Store, now: number): Promise<void> {
  await store.write((tx) => abandonAcceptances(tx, now));
}

async function removeSome({ tx, now }: JobContext, batchId: number): Promise<void> {
  // whoever is still accepting it finds that it is over; and its Idempotency-Key is free
  await endAcceptance(tx, batchId);
  const batch = await findHiddenBatch(tx, batchId);
  if (batch === undefined) return;
  const { tenantId, merchantId } = batch;
  const removed = await removeCalls(tx, batchId, BITE_CALLS);
  const [{ period } = { period: "" }] = removed;
  const units = removed.reduce((sum, call) => sum + call.reservedUnits, 0);
  const creditUnits = removed.reduce((sum, call) => sum + call.creditUnits, 0);
  await release(tx, { tenantId, merchantId, channel: "VOICE", period, units, creditUnits });
  if (removed.length === batch.totalCalls) return removeBatch(tx, batchId);
  const admittedCalls = removed.filter(({ status }) => status !== "REJECTED").length;
  await extendBatch(tx, batchId, { ...totalsOfNew(removed, batch), admittedCalls, totalCalls: removed.length }, -1);
  await scheduleJob(tx, removeCallsJob(batchId, now));
}
