// Accepting a batch too large for one unit of work: each decides and reserves a slice of its numbers, in order, and the
// batch stays hidden until the last unit has added its jobs. A batch that is not finished is removed by a step
// scheduled with its first slice. Whoever decides about the batch holds that step, then the acceptance, then the batch.

import { reached, sometimes } from "../platform/probes.ts";
import { batchStatus } from "../rules/call-batches.ts";
import type { Refusal } from "../rules/refusal.ts";
import { endAcceptance, extendAcceptance, insertAcceptance, isBeingAccepted } from "../store/call-acceptances.ts";
import { extendBatch, findHiddenBatch, revealBatch } from "../store/call-batches.ts";
import { insertCalls, type NewCall } from "../store/calls.ts";
import { cancelJob, holdJob, rescheduleJob, scheduleJob } from "../store/jobs.ts";
import { StoreUnavailable, type Transaction } from "../store/store.ts";
import {
  addBatch,
  type CallRequest,
  describeCalls,
  isAdmitted,
  listStartTimes,
  planCalls,
  reserveCalls,
  scheduleCalls,
  unitsHeldBy,
} from "./call-acceptance.ts";
import { removeCallsJob } from "./call-jobs.ts";
import { releaseUnits } from "./held-units.ts";
import type { OperationContext, Slicing, WriteResult } from "./operation.ts";

/** Numbers that one unit of work decides on and adds: 2 ms. */
const NUMBERS_A_SLICE = 200;

export function numbersASlice(): number {
  return sometimes("a slice is of two numbers") ? 2 : NUMBERS_A_SLICE;
}

/** A batch without a newly accepted slice for this long is given up, even if a process still works on it. */
const PATIENCE_MS = 60_000;

export interface SlicedBatch<Result> {
  /** E.164, each once, in their order. */
  readonly numbers: readonly string[];
  readonly toRequest: (context: OperationContext, numbers: readonly string[]) => CallRequest;
  /** The refusal if the rules allow no number to be called. */
  readonly refuseAll: (calls: readonly NewCall[]) => Refusal;
  /** Reads the accepted batch, in the unit that reveals it. */
  readonly view: (context: OperationContext, batchId: number) => Promise<Result>;
}

/** The progress of an acceptance. */
interface Progress {
  readonly batchId: number;
  readonly jobId: number;
  /** One time for all slices, so that they agree on the month and the hour. */
  readonly startedAt: number;
  readonly calls: readonly NewCall[];
}

/** Accepts the batch, or rejects and leaves nothing but what the step removes. */
export async function acceptInSlices<Result>(
  slicing: Slicing,
  batch: SlicedBatch<Result>,
): Promise<WriteResult<Result>> {
  const { run } = slicing;
  const [first = [], ...others] = toSlices(batch.numbers, numbersASlice());
  await requireOneAdmitted(slicing, batch);
  let progress = await run((context) => begin(slicing, context, batch.toRequest(context, first)));
  try {
    for (const numbers of others) {
      const soFar = progress;
      progress = await run((context) => extend(context, soFar, batch.toRequest(context, numbers)));
    }
    return await run((context) => finish(slicing, context, progress, batch));
  } catch (error) {
    await abandon(slicing, progress);
    throw error;
  }
}

/** Gives up the batch, freeing its Idempotency-Key and its quota. Returns false if its acceptance was over before. */
export async function giveUp(tx: Transaction, batchId: number): Promise<boolean> {
  const held = await endAcceptance(tx, batchId);
  if (held === undefined) return false;
  const batch = await findHiddenBatch(tx, batchId);
  if (batch === undefined) throw new Error(`there is no batch ${batchId} to be given up`);
  await releaseUnits(tx, { tenantId: batch.tenantId, merchantId: batch.merchantId, channel: "VOICE", ...held });
  return true;
}

/** Splits `items`, in order, into slices of up to `size`. */
export function toSlices<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, slice) => items.slice(slice * size, (slice + 1) * size));
}

/** A request with every number refused writes nothing. The first slice usually has one that is not. */
async function requireOneAdmitted<Result>({ run }: Slicing, batch: SlicedBatch<Result>): Promise<void> {
  let refused: NewCall[] = [];
  for (const numbers of toSlices(batch.numbers, numbersASlice())) {
    const { calls } = await run((context) => planCalls(context, batch.toRequest(context, numbers)));
    if (calls.some(isAdmitted)) return;
    refused = refused.concat(calls);
  }
  throw batch.refuseAll(refused);
}

async function begin(slicing: Slicing, context: OperationContext, request: CallRequest): Promise<Progress> {
  const { tx, now } = context;
  const plan = await planCalls(context, request);
  const key = await slicing.claimKey(context);
  const batchId = await addBatch(context, plan, { messageId: null, isAccepted: 0 });
  const jobId = await scheduleJob(tx, {
    tenantId: context.caller.tenantId,
    ...removeCallsJob(batchId, now + PATIENCE_MS),
  });
  const { calls, period } = plan;
  await insertAcceptance(tx, { batchId, jobId, period, ...unitsHeldBy(calls) }, key);
  return { batchId, jobId, startedAt: now, calls };
}

async function extend(current: OperationContext, progress: Progress, request: CallRequest): Promise<Progress> {
  const { tx } = current;
  const { batchId, jobId, startedAt: now } = progress;
  const context = { ...current, now };
  await requireBeingAccepted(context, progress);
  const plan = await planCalls(context, request);
  const { calls, period } = plan;
  const { totals, admittedCalls } = await reserveCalls(context, plan);
  await extendAcceptance(tx, batchId, unitsHeldBy(calls));
  await extendBatch(tx, batchId, { ...totals, admittedCalls, totalCalls: calls.length });
  await insertCalls(tx, { batchId, period, messageId: null, now }, calls);
  await rescheduleJob(tx, jobId, current.now + PATIENCE_MS);
  return { ...progress, calls: progress.calls.concat(calls) };
}

async function finish<Result>(
  { keepKey }: Slicing,
  context: OperationContext,
  progress: Progress,
  { refuseAll, view }: SlicedBatch<Result>,
): Promise<WriteResult<Result>> {
  const { tx } = context;
  const { batchId, jobId, calls } = progress;
  await requireBeingAccepted(context, progress);
  const batch = await findHiddenBatch(tx, batchId);
  if (batch === undefined) throw new Error(`there is no batch ${batchId} to be shown`);
  // the quota found at first went to others
  if (batch.admittedCalls === 0) throw refuseAll(calls);
  await endAcceptance(tx, batchId);
  await cancelJob(tx, jobId);
  await revealBatch(tx, batchId, describeCalls(calls, batchStatus(batch)));
  const executedAt = await scheduleCalls(context, batchId, listStartTimes(calls));
  const reference = { batchId };
  await keepKey(context, { reference, executedAt });
  return { result: await view(context, batchId), reference, executedAt };
}

async function requireBeingAccepted({ tx }: OperationContext, { batchId, jobId }: Progress): Promise<void> {
  holdJob(tx, jobId);
  if (await isBeingAccepted(tx, batchId)) return;
  throw new StoreUnavailable(`no slice of the batch was accepted for ${PATIENCE_MS / 1_000} s, and it was given up`);
}

/** Gives up, and has what was added removed now. If even this write fails, the step falls due later: its runner is to know when. */
async function abandon({ run, notifyAbandoned }: Slicing, { batchId, jobId }: Progress): Promise<void> {
  reached("the acceptance of a batch failed midway");
  const end = async ({ tx, now }: OperationContext) => {
    holdJob(tx, jobId);
    if (await giveUp(tx, batchId)) await rescheduleJob(tx, jobId, now);
  };
  await run(end).then(notifyAbandoned, notifyAbandoned);
}
