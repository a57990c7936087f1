// The one way in which a call changes: with its batch's totals, and with what its callback URL is told of it.

import type { EventOf, EventType } from "@msgctl/contract";
import { addTotals, type CountedCall, totalsOf } from "../rules/call-batches.ts";
import { reach } from "../rules/transitions.ts";
import { addToBatch, findBatch } from "../store/call-batches.ts";
import { enqueueCallback } from "../store/callbacks.ts";
import { type CallRow, type CallState, findCall, saveCall } from "../store/calls.ts";
import type { Transaction } from "../store/store.ts";
import { callMicros, speechMicros, viewBatch, viewCall } from "./call-views.ts";

/** An event of the contract; the time comes with the change. */
type Announced<K extends EventType = EventType> = K extends EventType ? Omit<EventOf<K>, "timestamp"> : never;

export interface CallMoment {
  readonly tx: Transaction;
  readonly now: number;
}

/**
 * Changes a call that was read for update, and returns it as it then is. States that were skipped, as the events that
 * tell of them were overtaken, are passed through; a state that cannot follow at all throws an IllegalTransitionError.
 */
export async function changeCall(moment: CallMoment, call: CallRow, change: Partial<CallState>): Promise<CallRow> {
  const { tx, now } = moment;
  requireReachable(call, change);
  const isMoved = change.status !== undefined && change.status !== call.status;
  const after: CallRow = { ...call, ...change, updatedAt: now };
  await saveCall(tx, { ...after, now });
  const added = addTotals(totalsOf(countedCall(after)), totalsOf(countedCall(call)), -1);
  const { open } = await addToBatch(tx, call.batchId, { ...added, now });
  const { callbackUrl, requestId } = call;
  const isTold = isMoved || after.callStatus !== call.callStatus || after.playbackStatus !== call.playbackStatus;
  if (callbackUrl !== null && isTold) {
    const isFinal = after.billingState === "FINALIZED";
    // read again: its speech and its carrier may have been chosen with this change
    const current = (await findCall(tx, requestId)) ?? after;
    const type = isFinal ? "voice.tts_call.finalized" : "voice.tts_call.updated";
    await announce(moment, call, { type, data: viewCall(current) });
    if (isFinal && open === 0) await announceBatch(moment, call);
  }
  return after;
}

/** Told after all else of the call that ended last. */
async function announceBatch(moment: CallMoment, call: CallRow): Promise<void> {
  const batch = await findBatch(moment.tx, call.batchId);
  if (batch === undefined) return;
  await announce(moment, call, { type: "voice.tts_batch.finalized", data: viewBatch(batch) });
}

/** Has the call's callback URL, if it has one, told of an event of the contract. */
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
