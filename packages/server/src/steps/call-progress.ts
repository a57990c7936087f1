// The only way a call changes: together with its batch's totals and its callbacks.

import type { EventOf, EventType } from "@msgctl/contract";
import { addTotals, type BatchTotals, type CountedCall, noTotals, totalsOf } from "../rules/call-batches.ts";
import { reach } from "../rules/transitions.ts";
import { addToBatch, findBatch } from "../store/call-batches.ts";
import { enqueueCallback } from "../store/callbacks.ts";
import { type CallRow, type CallState, findCall, saveCall } from "../store/calls.ts";
import type { Transaction } from "../store/store.ts";
import { callMicros, speechMicros, viewBatch, viewCall } from "./call-views.ts";

/** An event of the contract, without its time, which is that of the change. */
type Announced<K extends EventType = EventType> = K extends EventType ? Omit<EventOf<K>, "timestamp"> : never;

export interface CallMoment {
  readonly tx: Transaction;
  readonly now: number;
  /** For a unit of work that changes many calls and ends with `addSums`; else each change adds to its batch at once. */
  readonly sums?: BatchSums;
}

/** By batch: what a unit of work adds to its totals, and the last call that it ended, if any. */
export type BatchSums = Map<number, { added: BatchTotals; ended: CallRow | undefined }>;

/**
 * Changes a call that was read for update, and returns it changed. Passes through states that were skipped because
 * their events were overtaken. Throws an IllegalTransitionError for a state that cannot follow at all.
 */
export async function changeCall(moment: CallMoment, call: CallRow, change: Partial<CallState>): Promise<CallRow> {
  const { tx, now } = moment;
  requireReachable(call, change);
  const isMoved = change.status !== undefined && change.status !== call.status;
  const after: CallRow = { ...call, ...change, updatedAt: now };
  await saveCall(tx, { ...after, now });
  const { callbackUrl, requestId } = call;
  const isNotified = isMoved || after.callStatus !== call.callStatus || after.playbackStatus !== call.playbackStatus;
  const isFinal = after.billingState === "FINALIZED";
  if (callbackUrl !== null && isNotified) {
    // read again: its speech and its carrier may have been chosen with this change
    const current = (await findCall(tx, requestId)) ?? after;
    const type = isFinal ? "voice.tts_call.finalized" : "voice.tts_call.updated";
    await announce(moment, call, { type, data: viewCall(current) });
  }
  const sums: BatchSums = moment.sums ?? new Map();
  const { added = noTotals, ended } = sums.get(call.batchId) ?? {};
  const own = addTotals(totalsOf(countedCall(after)), totalsOf(countedCall(call)), -1);
  sums.set(call.batchId, { added: addTotals(added, own), ended: isNotified && isFinal ? call : ended });
  if (moment.sums === undefined) await addSums({ tx, now, sums });
  return after;
}

/** Adds the sums of a unit of work to the batches, and announces the end of those whose last call it ended. */
export async function addSums(moment: CallMoment & { sums: BatchSums }): Promise<void> {
  const { tx, now, sums } = moment;
  for (const [batchId, { added, ended }] of sums) {
    const { open } = await addToBatch(tx, batchId, { ...added, now });
    if (open === 0 && ended !== undefined && ended.callbackUrl !== null) await announceBatch(moment, ended);
  }
}

/** Announced after everything else about the call that ended last. */
async function announceBatch(moment: CallMoment, call: CallRow): Promise<void> {
  const batch = await findBatch(moment.tx, call.batchId);
  if (batch === undefined) return;
  await announce(moment, call, { type: "voice.tts_batch.finalized", data: viewBatch(batch) });
}

/** Enqueues a callback of the event, if the call has a callback URL. */
async function announce({ tx, now }: CallMoment, call: CallRow, event: Announced): Promise<void> {
  const { tenantId, requestId, callbackUrl: url } = call;
  if (url !== null) await enqueueCallback(tx, { tenantId, requestId, url, now, ...event });
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
