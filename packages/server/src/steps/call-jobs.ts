// The steps of calls, as they are scheduled.

import { WAITING_CALLS } from "../store/waiting-calls.ts";

/** Begins the calls of a batch that wait for `scheduledAt` (null: for nothing), after the call `after`. */
export interface BeginCalls {
  readonly batchId: number;
  readonly scheduledAt: number | null;
  readonly after: number;
  /** When the first of the calls before `after` that nobody can speak in expires, in epoch milliseconds. */
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

/** Begins calls that nobody could speak in: when the first of them expires, or as soon as somebody can. */
export function waitingCallsJob(batchId: number, dueAt: number) {
  return { ...beginCallsJob({ batchId, scheduledAt: null, after: 0 }, dueAt), kind: WAITING_CALLS };
}

export function speechSettledJob(subject: SpeechSettled, dueAt: number) {
  return { kind: SPEECH_SETTLED, subject: JSON.stringify(subject), dueAt };
}

export function removeCallsJob(batchId: number, dueAt: number) {
  return { kind: REMOVE_CALLS, subject: String(batchId), dueAt };
}
