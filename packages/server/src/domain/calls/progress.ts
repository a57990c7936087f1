// Changes calls, together with their batches' totals and their callbacks, and schedules their jobs.

import type { EventOf, EventType } from "@msgctl/contract";
import type { Transaction } from "../../store/store.ts";
import { enqueueCallback } from "../callbacks/rows.ts";
import { reach } from "../transitions.ts";
import { addToBatch, findBatch } from "./batch-rows.ts";
import { type CallRow, type CallState, findCall, saveCall, WAITING_CALLS } from "./rows.ts";
import { addTotals, type BatchTotals, type CountedCall, noTotals, totalsOf } from "./rules.ts";
import { callMicros, speechMicros, viewBatch, viewCall } from "./views.ts";

/** An event of the contract, without its time, which is that of the change. */
type Announced<K extends EventType = EventType> = K extends EventType ? Omit<EventOf<K>, "timestamp"> : never;

export interface CallMoment {
  readonly tx: Transaction;
  readonly now: number;
  /** Collects the changes of a transaction that ends with `concludeChanges`; without it each is concluded at once. */
  readonly changes?: CallChanges;
}

/**
 * Side effects of changes, applied at the end of the transaction: rows that many calls share are locked last, and for a
 * short time.
 */
export interface CallChanges {
  /** Additions to the totals of each batch, and its last call that ended, if any. */
  readonly sums: Map<number, { added: BatchTotals; ended: CallRow | undefined }>;
  /** Callbacks to enqueue. */
  readonly told: { call: CallRow; event: Announced }[];
}

/** Begins a transaction that changes many calls. */
export function collectChanges(): CallChanges {
  return { sums: new Map(), told: [] };
}

/**
 * Changes a call that was read for update, and returns it changed. Passes through states that were skipped because
 * their events were overtaken. Throws an IllegalTransitionError for a state that cannot follow at all.
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
    // read again: its speech and its carrier may have been chosen with this change
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
 * Adds to the batches what their calls have changed, and enqueues the callbacks, those of an ended batch last. Returns
 * whether there are any.
 */
export async function concludeChanges(moment: CallMoment & { changes: CallChanges }): Promise<boolean> {
  const { tx, now, changes } = moment;
  const { sums, told } = changes;
  // two transactions with several batches, or tenants, must not wait for each other
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

/** Begins the calls of a batch that wait for `scheduledAt` (null: for nothing), after the call `after`. */
export interface BeginCalls {
  readonly batchId: number;
  readonly scheduledAt: number | null;
  readonly after: number;
  /** The time at which the first of the calls before `after` without an engine expires, in epoch milliseconds. */
  readonly waitUntil?: number;
}

/** Continues the calls that waited for a speech, after the call `after`. */
export interface SpeechSettled {
  readonly assetId: number;
  readonly after: number;
}

export const BEGIN_CALLS = "calls.begin";
export const SPEECH_SETTLED = "calls.speech-settled";
/** Removes some calls of a batch that was never accepted. */
export const REMOVE_CALLS = "calls.remove";

export function beginCallsJob(subject: BeginCalls, dueAt: number) {
  return { kind: BEGIN_CALLS, subject: JSON.stringify(subject), dueAt };
}

/** Begins calls that had no engine: when the first of them expires, or as soon as there is one. */
export function waitingCallsJob(batchId: number, dueAt: number) {
  return { ...beginCallsJob({ batchId, scheduledAt: null, after: 0 }, dueAt), kind: WAITING_CALLS };
}

export function speechSettledJob(subject: SpeechSettled, dueAt: number) {
  return { kind: SPEECH_SETTLED, subject: JSON.stringify(subject), dueAt };
}

export function removeCallsJob(batchId: number, dueAt: number) {
  return { kind: REMOVE_CALLS, subject: String(batchId), dueAt };
}
