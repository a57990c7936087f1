// Changes calls together with their batches' totals and callbacks, and describes the jobs of calls.

import type { EventOf, EventType } from "@msgctl/contract";
import type { Transaction } from "../../store/store.ts";
import { enqueueCallback } from "../callbacks/rows.ts";
import { reach } from "../transitions.ts";
import { addToBatch, findBatch } from "./batch-rows.ts";
import { type CallRow, type CallState, findCall, saveCall, WAITING_CALLS } from "./rows.ts";
import { addTotals, type BatchTotals, type CountedCall, noTotals, totalsOf } from "./rules.ts";
import { callMicros, speechMicros, viewBatch, viewCall } from "./views.ts";

/** An event of the contract without its timestamp, which is the time of the change. */
type Announced<K extends EventType = EventType> = K extends EventType ? Omit<EventOf<K>, "timestamp"> : never;

export interface CallMoment {
  readonly tx: Transaction;
  readonly now: number;
  /** Collects side effects until the transaction calls `concludeChanges`. If omitted, each change applies its own. */
  readonly changes?: CallChanges;
}

/**
 * Side effects of changes, applied at the end of the transaction so that rows shared by many calls are locked only
 * briefly.
 */
export interface CallChanges {
  /** By batch: additions to its totals, and the last of its calls that ended, if any. */
  readonly sums: Map<number, { added: BatchTotals; ended: CallRow | undefined }>;
  /** Callbacks to enqueue. */
  readonly told: { call: CallRow; event: Announced }[];
}

/** Call at the start of a transaction that changes many calls. */
export function collectChanges(): CallChanges {
  return { sums: new Map(), told: [] };
}

/**
 * Changes a call that the caller has locked, and returns the changed call. A state may be skipped if its event was
 * overtaken by a later one. Throws an IllegalTransitionError for a state that cannot be reached.
 */
export async function changeCall(moment: CallMoment, call: CallRow, change: Partial<CallState>): Promise<CallRow> {
  const { tx, now, changes = collectChanges() } = moment;
  requireReachable(call, change);
  const isMoved = change.status !== undefined && change.status !== call.status;
  const after: CallRow = { ...call, ...change, updatedAt: now };
  await saveCall(tx, after, now);
  const { callbackUrl, requestId } = call;
  const isNotified = isMoved || after.callStatus !== call.callStatus || after.playbackStatus !== call.playbackStatus;
  const isFinal = after.billingState === "FINALIZED";
  if (callbackUrl !== null && isNotified) {
    // read the call again: this change may have set its speech or its carrier
    const current = (await findCall(tx, requestId)) ?? after;
    const type = isFinal ? "voice.tts_call.finalized" : "voice.tts_call.updated";
    changes.told.push({ call, event: { type, data: viewCall(current) } });
  }
  const { added = noTotals, ended } = changes.sums.get(call.batchId) ?? {};
  const own = addTotals(totalsOf(countedCall(after)), totalsOf(countedCall(call)), -1);
  changes.sums.set(call.batchId, { added: addTotals(added, own), ended: isNotified && isFinal ? call : ended });
  if (moment.changes === undefined) await concludeChanges({ tx, now, changes });
  return after;
}

/**
 * Applies the collected changes to the batches' totals and enqueues the callbacks, those of ended batches last. Returns
 * whether any callback was enqueued.
 */
export async function concludeChanges(moment: CallMoment & { changes: CallChanges }): Promise<boolean> {
  const { tx, now, changes } = moment;
  const { sums, told } = changes;
  // in id order, so that two transactions with several batches or tenants cannot deadlock
  for (const [batchId, { added, ended }] of [...sums].sort(([one], [other]) => one - other)) {
    const { open } = await addToBatch(tx, batchId, { ...added, now });
    if (open > 0 || ended === undefined || ended.callbackUrl === null) continue;
    const batch = await findBatch(tx, batchId);
    if (batch === undefined) continue;
    told.push({ call: ended, event: { type: "voice.tts_batch.finalized", data: viewBatch(batch) } });
  }
  for (const { call, event } of told.sort((one, other) => one.call.tenantId - other.call.tenantId)) {
    const { tenantId, requestId, callbackUrl: url } = call;
    if (url !== null) await enqueueCallback(tx, { tenantId, requestId, url, now, ...event });
  }
  return told.length > 0;
}

function requireReachable(call: CallRow, change: Partial<CallState>): void {
  const { status = call.status, callStatus = call.callStatus, playbackStatus = call.playbackStatus } = change;
  if (status !== call.status) reach("ttsCall", call.status, status);
  if (callStatus !== call.callStatus) reach("call", call.callStatus, callStatus);
  if (playbackStatus !== call.playbackStatus) reach("playback", call.playbackStatus, playbackStatus);
  const { finalStatus = call.finalStatus, billingState = call.billingState, cacheStatus = call.cacheStatus } = change;
  if (finalStatus !== call.finalStatus) reach("final", call.finalStatus, finalStatus);
  if (billingState !== call.billingState) reach("billing", call.billingState, billingState);
  if (cacheStatus !== call.cacheStatus) reach("speechCache", call.cacheStatus, cacheStatus);
}

function countedCall(call: CallRow): CountedCall {
  return {
    finalStatus: call.finalStatus,
    billingState: call.billingState,
    cacheStatus: call.cacheStatus,
    executedAt: call.executedAt,
    estimatedSpeechMicros: call.estimatedSpeechMicros,
    estimatedCallMicros: call.estimatedCallMicros,
    speechMicros: speechMicros(call),
    callMicros: callMicros(call),
  };
}

/** Job: begins a batch's calls that are scheduled at `scheduledAt` (null: unscheduled), from the one after `after`. */
export interface BeginCalls {
  readonly batchId: number;
  readonly scheduledAt: number | null;
  readonly after: number;
  /** Set if calls up to `after` found no speech engine: when the first of these calls expires, in epoch milliseconds. */
  readonly waitUntil?: number;
}

/** Job: continues the calls that waited for a speech, from the one after `after`. */
export interface SpeechSettled {
  readonly assetId: number;
  readonly after: number;
}

export const BEGIN_CALLS = "calls.begin";
export const SPEECH_SETTLED = "calls.speech-settled";
/** Job kind: removes calls of an abandoned batch, some at a time. */
export const REMOVE_CALLS = "calls.remove";

export function beginCallsJob(subject: BeginCalls, dueAt: number) {
  return { kind: BEGIN_CALLS, subject: JSON.stringify(subject), dueAt };
}

/** Begins calls that found no speech engine: as soon as one is available, or when the first of the calls expires. */
export function waitingCallsJob(batchId: number, dueAt: number) {
  return { ...beginCallsJob({ batchId, scheduledAt: null, after: 0 }, dueAt), kind: WAITING_CALLS };
}

export function speechSettledJob(subject: SpeechSettled, dueAt: number) {
  return { kind: SPEECH_SETTLED, subject: JSON.stringify(subject), dueAt };
}

export function removeCallsJob(batchId: number, dueAt: number) {
  return { kind: REMOVE_CALLS, subject: String(batchId), dueAt };
}
