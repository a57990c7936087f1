// What becomes of a call: how each outcome reads in its states, and which minutes it is charged.

import type { Schemas } from "@msgctl/contract";
import type { MessageType } from "./consent.ts";
import type { DeliveryReason } from "./delivery.ts";
import type { CallStatus, FinalStatus, PlaybackStatus, TtsCallStatus } from "./transitions.ts";

export type CallPriority = Schemas["TtsPriority"];
export type RefusalReason = Extract<
  Schemas["PolicyReason"],
  "CONSENT_REQUIRED" | "CONSENT_OPTED_OUT" | "QUOTA_EXCEEDED"
>;

/** How a carrier says that a call ended. */
export type CallOutcome =
  | "HEARD"
  | "VOICEMAIL"
  | "HANGUP"
  | "PLAYBACK_FAILED"
  | "FAX"
  | "BUSY"
  | "NO_ANSWER"
  | "UNREACHABLE"
  | "BLOCKED"
  | "UNKNOWN_HANDSET"
  | "CARRIER_FILTERED"
  | "CARRIER_UNKNOWN"
  | "UNREGISTERED_SENDER"
  | "INVALID_NUMBER";

/** The states that a call ends in. */
export interface CallEnd {
  readonly status: Extract<TtsCallStatus, "COMPLETED" | "FAILED">;
  readonly callStatus: Extract<CallStatus, "COMPLETED" | "BUSY" | "NO_ANSWER" | "FAILED">;
  /** Null where nothing was played. */
  readonly playbackStatus: Extract<PlaybackStatus, "COMPLETED" | "PARTIAL" | "FAILED"> | null;
  readonly finalStatus: Extract<FinalStatus, "SUCCESS" | "PARTIAL" | "FAILED">;
  readonly reason: DeliveryReason | null;
  /** In words what failed; null when nothing did. */
  readonly error: string | null;
}

const heard = { status: "COMPLETED", callStatus: "COMPLETED", error: null } as const;

function unanswered(callStatus: "BUSY" | "NO_ANSWER" | "FAILED", reason: DeliveryReason, error: string): CallEnd {
  return { status: "FAILED", callStatus, playbackStatus: null, finalStatus: "FAILED", reason, error };
}

const ends: Readonly<Record<CallOutcome, CallEnd>> = {
  HEARD: { ...heard, playbackStatus: "COMPLETED", finalStatus: "SUCCESS", reason: null },
  VOICEMAIL: { ...heard, playbackStatus: "COMPLETED", finalStatus: "PARTIAL", reason: "VOICEMAIL" },
  HANGUP: { ...heard, playbackStatus: "PARTIAL", finalStatus: "PARTIAL", reason: "HANGUP" },
  PLAYBACK_FAILED: {
    status: "FAILED",
    callStatus: "COMPLETED",
    playbackStatus: "FAILED",
    finalStatus: "FAILED",
    reason: "TTS_FAILED",
    error: "The call was answered, but the speech could not be played.",
  },
  FAX: {
    status: "FAILED",
    callStatus: "COMPLETED",
    playbackStatus: null,
    finalStatus: "FAILED",
    reason: "FAX",
    error: "A fax machine answered.",
  },
  BUSY: unanswered("BUSY", "BUSY", "The line was busy."),
  NO_ANSWER: unanswered("NO_ANSWER", "NO_ANSWER", "Nobody answered."),
  UNREACHABLE: unanswered("FAILED", "UNREACHABLE", "The phone is off or out of reach."),
  BLOCKED: unanswered("FAILED", "BLOCKED", "The recipient or the carrier declined the call."),
  UNKNOWN_HANDSET: unanswered("FAILED", "UNKNOWN_HANDSET", "The carrier knows no such phone."),
  CARRIER_FILTERED: unanswered("FAILED", "CARRIER_FILTERED", "The carrier took the call for spam."),
  CARRIER_UNKNOWN: unanswered("FAILED", "CARRIER_UNKNOWN", "The carrier gave no reason."),
  UNREGISTERED_SENDER: unanswered(
    "FAILED",
    "UNREGISTERED_SENDER",
    "The carrier refuses callers that are not registered.",
  ),
  INVALID_NUMBER: unanswered("FAILED", "INVALID_NUMBER", "The number is not in service."),
};

/** The states that a call of this outcome ends in. */
export function endOf(outcome: CallOutcome): CallEnd {
  return ends[outcome];
}

/** Minutes that a call is charged: each begun one whole, none when nobody answered. */
export function chargedMinutes(answeredSeconds: number): number {
  return Math.ceil(answeredSeconds / 60);
}

/** Speech takes about a second for 15 characters. */
const CHARACTERS_A_SECOND = 15;

/** Minutes to reserve for a text of so many characters: at least one. */
export function estimatedMinutes(characters: number): number {
  return Math.max(1, Math.ceil(characters / CHARACTERS_A_SECOND / 60));
}

/** The kind of message that a `useCase` names, in whatever case; any other counts as MARKETING. */
export function messageTypeOf(useCase: string): MessageType {
  const name = useCase.toUpperCase();
  return name === "OTP" || name === "TRANSACTIONAL" || name === "REMINDER" ? name : "MARKETING";
}
