// Rules of calls: the final states of each outcome, the minutes charged, and the totals of a batch.

import type { Schemas } from "@msgctl/contract";
import type { MessageType } from "../consent/rules.ts";
import type { DeliveryReason } from "../messages/rules.ts";
import type {
  BillingState,
  CallStatus,
  FinalStatus,
  PlaybackStatus,
  SpeechCacheStatus,
  TtsCallStatus,
} from "../transitions.ts";

export type RefusalReason = Extract<
  Schemas["PolicyReason"],
  "CONSENT_REQUIRED" | "CONSENT_OPTED_OUT" | "QUOTA_EXCEEDED"
>;

/** The outcome of a call, as carriers report it. */
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

/** The final states of a call. */
export interface CallEnd {
  readonly status: Extract<TtsCallStatus, "COMPLETED" | "FAILED">;
  readonly callStatus: Extract<CallStatus, "COMPLETED" | "BUSY" | "NO_ANSWER" | "FAILED">;
  /** Null if nothing was played. */
  readonly playbackStatus: Extract<PlaybackStatus, "COMPLETED" | "PARTIAL" | "FAILED"> | null;
  readonly finalStatus: Extract<FinalStatus, "SUCCESS" | "PARTIAL" | "FAILED">;
  readonly reason: DeliveryReason | null;
  /** Describes the failure; null if there was none. */
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
  UNKNOWN_HANDSET: unanswered("FAILED", "UNKNOWN_HANDSET", "The carrier does not know the phone."),
  CARRIER_FILTERED: unanswered("FAILED", "CARRIER_FILTERED", "The carrier blocked the call as spam."),
  CARRIER_UNKNOWN: unanswered("FAILED", "CARRIER_UNKNOWN", "The carrier gave no reason."),
  UNREGISTERED_SENDER: unanswered(
    "FAILED",
    "UNREGISTERED_SENDER",
    "The carrier refuses calls from numbers that are not registered.",
  ),
  INVALID_NUMBER: unanswered("FAILED", "INVALID_NUMBER", "The number is not in service."),
};

/** Returns the final states of a call with this outcome. */
export function endOf(outcome: CallOutcome): CallEnd {
  return ends[outcome];
}

/** Minutes charged for a call: each started minute counts. An unanswered call has none. */
export function chargedMinutes(answeredSeconds: number): number {
  return Math.ceil(answeredSeconds / 60);
}

/** Approximate speed of speech. */
const CHARACTERS_A_SECOND = 15;

/** Minutes to reserve for a text of this many characters; at least 1. */
export function estimatedMinutes(characters: number): number {
  return Math.max(1, Math.ceil(characters / CHARACTERS_A_SECOND / 60));
}

/** The message type of a `useCase`, ignoring case. An unknown use case counts as MARKETING. */
export function messageTypeOf(useCase: string): MessageType {
  const name = useCase.toUpperCase();
  return name === "OTP" || name === "TRANSACTIONAL" || name === "REMINDER" ? name : "MARKETING";
}

/** The fields of a call that affect its batch's totals. Costs are micro-USD; an actual cost is null until known. */
export interface CountedCall {
  readonly finalStatus: FinalStatus;
  readonly billingState: BillingState;
  readonly cacheStatus: SpeechCacheStatus;
  /** When it left the queue, in epoch milliseconds; null while queued. */
  readonly executedAt: number | null;
  readonly estimatedSpeechMicros: number;
  readonly estimatedCallMicros: number;
  readonly speechMicros: number | null;
  readonly callMicros: number | null;
}

/** Totals of no calls. `begun` counts calls that left the queue. Costs are actual once known, else estimated. */
export const noTotals = {
  success: 0,
  failed: 0,
  partial: 0,
  pending: 0,
  scheduled: 0,
  begun: 0,
  finalized: 0,
  hits: 0,
  misses: 0,
  speechMicros: 0,
  callMicros: 0,
  finalizedMicros: 0,
};

const totalNames = Object.keys(noTotals) as (keyof typeof noTotals)[];

/** Totals over the calls of a batch. */
export type BatchTotals = Readonly<typeof noTotals>;

/** The totals that one call adds to its batch. */
export function totalsOf(call: CountedCall): BatchTotals {
  const speechMicros = call.speechMicros ?? call.estimatedSpeechMicros;
  const callMicros = call.callMicros ?? call.estimatedCallMicros;
  const isFinal = call.billingState === "FINALIZED";
  return {
    success: Number(call.finalStatus === "SUCCESS"),
    failed: Number(call.finalStatus === "FAILED"),
    partial: Number(call.finalStatus === "PARTIAL"),
    pending: Number(call.finalStatus === "PENDING"),
    scheduled: Number(call.finalStatus === "SCHEDULED"),
    begun: Number(call.executedAt !== null),
    finalized: Number(isFinal),
    hits: Number(call.cacheStatus === "HIT"),
    misses: Number(call.cacheStatus === "MISS"),
    speechMicros,
    callMicros,
    finalizedMicros: isFinal ? speechMicros + callMicros : 0,
  };
}

/** Adds two totals; with a `sign` of -1, subtracts the second. */
export function addTotals(one: BatchTotals, other: BatchTotals, sign: 1 | -1 = 1): BatchTotals {
  const sum = { ...one };
  for (const name of totalNames) sum[name] += sign * other[name];
  return sum;
}

export type BatchStatus = Schemas["TtsBatchStatus"];

type Counters = Pick<BatchTotals, "success" | "failed" | "partial" | "pending" | "scheduled" | "begun">;

/** Derives a batch's status from its counters. SCHEDULED: all calls still to be made wait for their start time. */
export function batchStatus({ success, failed, partial, pending, scheduled, begun }: Counters): BatchStatus {
  if (pending + scheduled === 0) {
    if (failed === 0) return "COMPLETED";
    return success + partial === 0 ? "FAILED" : "COMPLETED_WITH_ERRORS";
  }
  if (begun > 0) return "IN_PROGRESS";
  return pending === 0 ? "SCHEDULED" : "QUEUED";
}

/** The share of hits among hits and misses, to six decimals; 0 if there are none. */
export function cacheHitRatio({ hits, misses }: Pick<BatchTotals, "hits" | "misses">): number {
  return hits === 0 ? 0 : Math.round((hits / (hits + misses)) * 1_000_000) / 1_000_000;
}
