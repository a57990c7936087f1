// Changes a call when its message changes. The message is the call's leg at the carrier: its outcome ends the call and
// determines the charged minutes.

import type { CallReport } from "../../carriers/provider.ts";
import { channelCost } from "../../domain/billing/rules.ts";
import { settleMinutes } from "../../domain/billing/settlement.ts";
import { type CallMoment, changeCall } from "../../domain/calls/progress.ts";
import { type CallRow, type CallState, findCallOfMessage } from "../../domain/calls/rows.ts";
import { chargedMinutes, endOf } from "../../domain/calls/rules.ts";
import { type MessageProgress, saveOutcome, saveStatus } from "../../domain/messages/progress-rows.ts";
import type { DeliveryReason } from "../../domain/messages/rules.ts";
import type { PriceList } from "../../domain/policies.ts";
import { canReach, move, type PlaybackStatus } from "../../domain/transitions.ts";
import type { ReachedStatus } from "../../store/store.ts";

/** Context of a change that may be charged. */
export interface Moment extends CallMoment {
  readonly prices: PriceList;
}

/** Records that the carrier accepted the call. */
export async function noteCallTaken(moment: Moment, message: MessageProgress, providerCallId: string): Promise<void> {
  const call = await findCallOfMessage(moment.tx, message.messageId);
  if (call === undefined || !canReach("call", call.callStatus, "INITIATED")) return;
  await changeCall(moment, call, { callStatus: "INITIATED", providerCallId });
}

const playbackOf = { PLAYING: "PLAYING", PLAYED: "COMPLETED" } as const;

/**
 * Records the call's stage, unless the call is already at this stage or a later one. A test call stores no stages: it ends
 * once its speech was played. Returns whether the call has ended.
 */
export async function noteCallStage(
  moment: Moment,
  message: MessageProgress,
  stage: Exclude<CallReport["stage"], "ENDED">,
): Promise<boolean> {
  const call = await findCallOfMessage(moment.tx, message.messageId);
  if (call === undefined) {
    return stage === "PLAYED" && endCall(moment, message, { stage: "ENDED", outcome: "HEARD", durationSeconds: 0 });
  }
  const { callStatus, status, playbackStatus } = call;
  if (stage === "RINGING") {
    if (canReach("call", callStatus, "RINGING")) await changeCall(moment, call, { callStatus: "RINGING" });
    return false;
  }
  const isAnswered = status === "IN_PROGRESS" && callStatus === "IN_PROGRESS";
  const played = stage === "ANSWERED" ? undefined : playbackOf[stage];
  const isKnown = played === undefined || !canReach("playback", playbackStatus, played);
  if (isAnswered ? isKnown : !canReach("call", callStatus, "IN_PROGRESS")) return false;
  await changeCall(moment, call, {
    status: "IN_PROGRESS",
    callStatus: "IN_PROGRESS",
    playbackStatus: played ?? playbackStatus,
  });
  return false;
}

/**
 * Ends the call: its states, minutes and costs become final. After 72 hours, only the message's state changes. Returns
 * false and changes nothing if the call has ended or the report contradicts an earlier one.
 */
export async function endCall(
  moment: Moment,
  message: MessageProgress,
  { outcome, durationSeconds }: CallReport & { stage: "ENDED" },
): Promise<boolean> {
  const call = await findCallOfMessage(moment.tx, message.messageId);
  const isPlayed = call?.playbackStatus === "COMPLETED";
  const end = endOf(outcome === "HANGUP" && isPlayed ? "HEARD" : outcome);
  const to = end.finalStatus === "FAILED" ? "UNDELIVERED" : "DELIVERED";
  if (message.status === "UNKNOWN") {
    // too late for the call itself: it was ended and charged after 72 hours without a report
    const late = { status: move("message", message.status, to), deliveryReason: end.reason };
    await saveStatus(moment.tx, message, { ...late, now: moment.now });
    return true;
  }
  if (message.status !== "SENT" || (call !== undefined && !canReach("call", call.callStatus, end.callStatus)))
    return false;
  const isAnswered = end.callStatus === "COMPLETED";
  // a test call belongs to no batch and is free
  const minutes = isAnswered && call !== undefined ? chargedMinutes(durationSeconds) : 0;
  await endLeg(moment, message, { status: move("message", message.status, to), reason: end.reason, minutes });
  if (call === undefined) return true;
  await changeCall(moment, call, {
    ...overFor(moment, call, minutes),
    status: end.status,
    callStatus: end.callStatus,
    playbackStatus: isPlayed ? "COMPLETED" : (end.playbackStatus ?? endPlayback(call.playbackStatus)),
    finalStatus: end.finalStatus,
    durationSeconds: isAnswered ? durationSeconds : 0,
    deliveryReason: end.reason,
    error: end.error,
  });
  return true;
}

/** Ends a call that no carrier accepted or will accept. */
export async function endCallUntaken(moment: Moment, message: MessageProgress, reason: DeliveryReason): Promise<void> {
  const call = await findCallOfMessage(moment.tx, message.messageId);
  if (call === undefined || !canReach("ttsCall", call.status, "FAILED")) return;
  await changeCall(moment, call, {
    ...overFor(moment, call, 0),
    status: "FAILED",
    // a call that the carrier never received counts as canceled
    callStatus: call.attempts === 0 ? "CANCELED" : "FAILED",
    deliveryReason: reason,
    error: call.attempts === 0 ? "The number was not dialled." : "The carrier did not accept the call.",
  });
}

/** Error text of a call that was canceled. */
export const CANCELED_CALL = "The operator canceled the call before it was dialled.";

/** Ends a call whose message was canceled before it was dialled. */
export async function endCallCanceled(moment: Moment, message: MessageProgress): Promise<void> {
  const call = await findCallOfMessage(moment.tx, message.messageId);
  if (call === undefined) return;
  await changeCall(moment, call, {
    ...overFor(moment, call, 0),
    status: "CANCELED",
    callStatus: "CANCELED",
    error: CANCELED_CALL,
  });
}

/** Ends a call whose end was not reported within 72 hours. It counts as failed, and no minutes are charged. */
export async function endCallLost(moment: Moment, message: MessageProgress): Promise<void> {
  await endLeg(moment, message, { status: move("message", message.status, "UNKNOWN"), reason: null, minutes: 0 });
  const call = await findCallOfMessage(moment.tx, message.messageId);
  if (call === undefined || !canReach("ttsCall", call.status, "FAILED")) return;
  await changeCall(moment, call, {
    ...overFor(moment, call, 0),
    status: "FAILED",
    callStatus: "FAILED",
    playbackStatus: endPlayback(call.playbackStatus),
    deliveryReason: "CARRIER_UNKNOWN",
    error: "The carrier did not report how the call ended.",
  });
}

/** Playback that its carrier reported no end of has failed. */
function endPlayback(status: PlaybackStatus): PlaybackStatus {
  return status === "PLAYING" ? "FAILED" : status;
}

async function endLeg(
  moment: Moment,
  message: MessageProgress,
  end: { status: ReachedStatus; reason: DeliveryReason | null; minutes: number },
): Promise<void> {
  const { status, reason: deliveryReason, minutes: units } = end;
  const settlement = await settleMinutes(moment.tx, message, units, moment);
  await saveOutcome(moment.tx, message, { status, deliveryReason, units, ...settlement, now: moment.now });
}

/**
 * Returns the final fields of a failed call. For another outcome, the caller overrides the status. Speech that was never
 * made is free.
 */
export function overFor({ prices, now }: Moment, call: CallRow, minutes: number): Partial<CallState> {
  const cost = channelCost(prices, "VOICE", minutes);
  return {
    billingState: "FINALIZED",
    finalStatus: "FAILED",
    completedAt: now,
    durationSeconds: 0,
    callMinutes: minutes,
    callBaseMicros: cost.baseMicros,
    callMarkupMicros: cost.markupMicros,
    speechCharacters: call.speechCharacters ?? 0,
    speechBaseMicros: call.speechBaseMicros ?? 0,
    speechMarkupMicros: call.speechMarkupMicros ?? 0,
  };
}
