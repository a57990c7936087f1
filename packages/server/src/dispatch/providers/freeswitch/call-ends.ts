// What FreeSWITCH says of the end of a call, in an event or a call record, as an outcome.

import type { CallOutcome } from "../../../rules/calls.ts";
import type { CallReport, SubmitOutcome } from "../provider.ts";
import { PLAYED_VARIABLE } from "./call-command.ts";

/** A channel's variable. */
export type Variables = (name: string) => string | undefined;

/** By Q.850 cause, of calls that nobody answered; any other gives no reason. */
const unanswered: Readonly<Record<string, CallOutcome>> = {
  USER_BUSY: "BUSY",
  NO_ANSWER: "NO_ANSWER",
  // the ring time was over
  ORIGINATOR_CANCEL: "NO_ANSWER",
  ALLOTTED_TIMEOUT: "NO_ANSWER",
  NO_USER_RESPONSE: "UNREACHABLE",
  SUBSCRIBER_ABSENT: "UNREACHABLE",
  USER_NOT_REGISTERED: "UNREACHABLE",
  RECOVERY_ON_TIMER_EXPIRE: "UNREACHABLE",
  CALL_REJECTED: "BLOCKED",
  UNWANTED: "BLOCKED",
  UNALLOCATED_NUMBER: "INVALID_NUMBER",
  NUMBER_CHANGED: "INVALID_NUMBER",
  INVALID_NUMBER_FORMAT: "INVALID_NUMBER",
  NO_ROUTE_DESTINATION: "INVALID_NUMBER",
};

/** By SIP status, where its cause says less. RFC 8197 and RFC 8688; those of our own account are nobody's refusal. */
const byStatus: Readonly<Record<string, CallOutcome>> = {
  "401": "CARRIER_UNKNOWN",
  "402": "CARRIER_UNKNOWN",
  "407": "CARRIER_UNKNOWN",
  "607": "BLOCKED",
  "608": "CARRIER_FILTERED",
};

/** By how playing ended. */
const played: Readonly<Record<string, CallOutcome>> = { "FILE PLAYED": "HEARD" };

/**
 * Causes before there is a channel, of calls that FreeSWITCH cannot place now, whomever they are for: the gateway is down, is
 * not there or its profile is not, as while they are loaded again; or there is no session to be had.
 */
const unplaceable = new Set([
  "GATEWAY_DOWN",
  "INVALID_GATEWAY",
  "INVALID_PROFILE",
  "CHAN_NOT_IMPLEMENTED",
  "DESTINATION_OUT_OF_ORDER",
]);
const UNPLACEABLE_MS = 5_000;

/** How a call ended. Its time is what was answered of it. */
export function readEnd(variable: Variables): CallReport & { stage: "ENDED" } {
  const durationSeconds = Math.ceil(Number(variable("billmsec") ?? 0) / 1_000) || 0;
  const isAnswered = isTime(variable("answer_epoch"));
  return { stage: "ENDED", outcome: isAnswered ? readAnswered(variable) : readUnanswered(variable), durationSeconds };
}

function readAnswered(variable: Variables): CallOutcome {
  const how = variable(PLAYED_VARIABLE) ?? "";
  if (how !== "") return played[how] ?? "PLAYBACK_FAILED";
  // a call that is being stopped with FreeSWITCH is ended by it, and by nobody who was called
  return variable("sip_hangup_disposition") === "send_bye" ? "PLAYBACK_FAILED" : "HANGUP";
}

function readUnanswered(variable: Variables): CallOutcome {
  const status = variable("sip_invite_failure_status") ?? variable("sip_term_status") ?? "";
  const outcome = byStatus[status] ?? unanswered[variable("hangup_cause") ?? ""] ?? "CARRIER_UNKNOWN";
  const hasRung = isTime(variable("progress_epoch")) || isTime(variable("progress_media_epoch"));
  // the ring time was over, wherever the call was
  const isGivenUp = variable("sip_hangup_disposition") === "send_cancel";
  return outcome === "NO_ANSWER" && isGivenUp && !hasRung ? "UNREACHABLE" : outcome;
}

/** Of what has not been there is a 0. */
function isTime(epoch: string | undefined): boolean {
  return Number(epoch ?? 0) > 0;
}

/**
 * What the end of a command says that placed no call which was answered: why no channel was made, or, by any other cause, how
 * a call ended of whose channel nothing was heard. @param words such as `-ERR INVALID_GATEWAY`
 */
export function readUnplaced(words: string): SubmitOutcome | (CallReport & { stage: "ENDED" }) {
  const detail = words.trim();
  const [, cause] = /^-ERR (\w+)/.exec(detail) ?? [];
  if (cause === undefined) return { outcome: "failed", detail };
  if (!unplaceable.has(cause))
    return { stage: "ENDED", outcome: unanswered[cause] ?? "CARRIER_UNKNOWN", durationSeconds: 0 };
  return { outcome: "deferred", retryAfterMs: UNPLACEABLE_MS, detail, isUnreached: true };
}
