// The steps of calls, as they are scheduled.

/** Begins the calls of a batch that wait for `scheduledAt` (null: for nothing), after the call `after`. */
export interface BeginCalls {
  readonly batchId: number;
  readonly scheduledAt: number | null;
  readonly after: number;
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

export function speechSettledJob(subject: SpeechSettled, dueAt: number) {
  return { kind: SPEECH_SETTLED, subject: JSON.stringify(subject), dueAt };
}

export function removeCallsJob(batchId: number, dueAt: number) {
  return { kind: REMOVE_CALLS, subject: String(batchId), dueAt };
}
