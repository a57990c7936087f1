// Rules of messages: ids, states, expiry, and the round-robin of a carrier's queue.

import { hash } from "node:crypto";
import type { Schemas } from "@msgctl/contract";
import { decodeTime, encodeTime } from "ulid";
import type { MessageType } from "../consent/rules.ts";
import type { MessageStatus } from "../transitions.ts";

const TIME_CHARACTERS = 10;
const NUMBER_CHARACTERS = 16;
/** The digits of a ULID in order; I, L, O and U are not used. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The lowest id that a message created at `epochMs` or later can have: ids sort by time. */
export function lowestMessageId(epochMs: number): string {
  return `msg_${encodeTime(Math.max(0, epochMs), TIME_CHARACTERS)}`;
}

/**
 * The id of the message that a call will be dialled as. The id is known as soon as the call is accepted, at `createdAt`.
 * It sorts before the ids of later messages; calls accepted at the same time sort by `requestId`.
 */
export function callMessageId({ requestId, createdAt }: { requestId: number; createdAt: number }): string {
  const number = requestId.toString(digits.length).replace(/./g, (digit) => digits[Number.parseInt(digit, 32)] ?? "");
  return lowestMessageId(createdAt) + number.padStart(NUMBER_CHARACTERS, "0");
}

/** Longest chain of replies and confirmations. Each confirmation's id is a millisecond after the id of the message before. */
const LONGEST_CHAIN_MS = 100;

/** An upper bound for the ids of this message, of earlier messages, and of all confirmations that followed from them. */
export function boundOfConfirmations(messageId: string): string {
  return lowestMessageId(timeOf(messageId) + LONGEST_CHAIN_MS);
}

/**
 * The id of the message that confirms a reply. Each report of the same event yields the same id, so a restored database
 * that lost the confirmation can ask the carrier about it. The id sorts directly after the message that was replied to.
 * Its time comes from that message's id, because the clock has moved on when a lost confirmation is made again.
 */
export function confirmationId(reply: { provider: string; eventId: string; repliedTo: string }): string {
  const digest = hash("sha256", JSON.stringify([reply.provider, reply.eventId]), "buffer");
  const chosen = Array.from(digest.subarray(0, NUMBER_CHARACTERS), (byte) => digits[byte % digits.length]);
  return lowestMessageId(timeOf(reply.repliedTo) + 1) + chosen.join("");
}

/** The time encoded in an id, in epoch milliseconds. */
function timeOf(messageId: string): number {
  return decodeTime(messageId.slice("msg_".length));
}

/** The `requestId` in an id of the form that `callMessageId` makes; undefined for other ids. */
export function readCallMessageId(messageId: string): number | undefined {
  const [, number = ""] = /^msg_\w{10}0{5}(\w{11})$/.exec(messageId) ?? [];
  const values = [...number].map((digit) => digits.indexOf(digit));
  const requestId = values.reduce((sum, value) => sum * digits.length + value, 0);
  return number === "" || values.includes(-1) || !Number.isSafeInteger(requestId) ? undefined : requestId;
}

/** The state of a part of a message; null if the carrier has accepted the part and reported nothing else yet. */
export type PartStatus = "DELIVERED" | "UNDELIVERED" | "EXPIRED" | null;

/** The state of a message from its parts: failed if any part failed, delivered once all are. */
export function joinParts(parts: readonly PartStatus[]): "SENT" | Exclude<PartStatus, null> {
  const failed = parts.find((status) => status === "UNDELIVERED" || status === "EXPIRED");
  if (failed !== undefined && failed !== null) return failed;
  return parts.length > 0 && parts.every((status) => status === "DELIVERED") ? "DELIVERED" : "SENT";
}

/** The states of a message, grouped into four outcomes. */
export type Outcome = "delivered" | "failed" | "unknown" | "underWay";

const outcomes: Readonly<Record<MessageStatus, Outcome>> = {
  QUEUED: "underWay",
  SENDING: "underWay",
  SENT: "underWay",
  DELIVERED: "delivered",
  UNDELIVERED: "failed",
  FAILED: "failed",
  EXPIRED: "failed",
  CANCELED: "failed",
  UNKNOWN: "unknown",
};

export function outcomeOf(status: MessageStatus): Outcome {
  return outcomes[status];
}

/** Reasons why a message or a call did not reach its recipient. */
export type DeliveryReason = Schemas["DeliveryReason"];

/** Finds why a mail server refused a recipient, from the enhanced status code (RFC 3463) in its answer. */
export function readReason(words: string): DeliveryReason {
  const [, subject] = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(words) ?? [];
  return subject === "7" ? "BLOCKED" : "UNREACHABLE";
}

/** Longest stored text of a peer, in UTF-16 units: a reply line of SMTP has at most 512 octets. */
const LONGEST_WORDS = 500;
/** White space, and characters that garble a terminal or a page, or that PostgreSQL cannot store. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Cleans a peer's text for storage and display: one line of bounded length. */
export function cleanWords(words: string, longest = LONGEST_WORDS): string {
  return words.slice(0, longest).replaceAll(UNPRINTABLE, " ").trim();
}

/** 72 hours. A message must be submitted within this time; a message in doubt is looked up at its carrier for as long. */
export const PATIENCE_MS = 72 * 60 * 60 * 1_000;

/**
 * The time until which the carrier is asked about a message, in epoch milliseconds. If this time has passed before the
 * carrier was asked even once (no server ran, or a backup was restored), the period starts again: a message is never
 * given up before its carrier was asked.
 */
export function extendPatience({ giveUpAt, asks }: { giveUpAt: number; asks: number }, now: number): number {
  return asks === 0 && now >= giveUpAt ? now + PATIENCE_MS : giveUpAt;
}

/** Pauses before the first and between later reviews of a message whose final receipt is outstanding. */
const FIRST_REVIEW_MS = 15 * 60_000;
const LONGEST_REVIEW_PAUSE_MS = 24 * 60 * 60 * 1_000;

/**
 * The time at which a message that its carrier accepted is due, in epoch milliseconds: for a review if the carrier can be
 * asked what became of it, otherwise to be given up.
 */
export function receiptDueAt(now: number, isReviewed = false): number {
  return now + (isReviewed ? FIRST_REVIEW_MS : PATIENCE_MS);
}

/** The time of the next review, in epoch milliseconds, after `reviews` reviews: each pause is four times the last one. */
export function nextReviewAt(reviews: number, now: number): number {
  return now + Math.min(FIRST_REVIEW_MS * 4 ** reviews, LONGEST_REVIEW_PAUSE_MS);
}

/** Longest time after which a carrier repeats a report that was not acknowledged. */
const REPORTED_AGAIN_WITHIN_MS = 6 * 60 * 60 * 1_000;

/**
 * The time until which carriers may repeat reports that they first sent while no process was listening. This time is in
 * the past if a process has been listening for long enough.
 */
export function listenUntil(listeningSince: number): number {
  return listeningSince + REPORTED_AGAIN_WITHIN_MS;
}

/** Default time, from acceptance, within which a one-time password must be submitted. */
export const OTP_VALIDITY_MS = 10 * 60_000;

/** Time within which a reply must be confirmed: a later confirmation would confuse the recipient. */
const CONFIRMATION_VALIDITY_MS = 5 * 60_000;

/** The time after which a message must no longer be submitted, in epoch milliseconds. */
export function expiryOf(
  { createdAt, type, purpose }: { createdAt: number; type: MessageType; purpose: "SEND" | "CONFIRMATION" },
  otpValidityMs: number,
): number {
  if (purpose === "CONFIRMATION") return createdAt + CONFIRMATION_VALIDITY_MS;
  return createdAt + (type === "OTP" ? otpValidityMs : PATIENCE_MS);
}

/** The class of each message type. Lower classes have more weight. */
export const messageClasses: Readonly<Record<MessageType, number>> = {
  OTP: 0,
  TRANSACTIONAL: 1,
  REMINDER: 2,
  MARKETING: 3,
};

const weights: readonly number[] = [8, 4, 2, 1];
const OTP = messageClasses.OTP;
/** A class gains its base weight again each time its first message has waited this much longer. */
const AGEING_MS = 60_000;
/** Waiting adds at most this multiple of the base weight. */
const OLDEST = 8;

export interface WaitingClass {
  readonly messageClass: number;
  /** Waiting time of its first message, in milliseconds. */
  readonly waitedMs: number;
}

/**
 * Weighted round-robin of the classes in a carrier's queue: every class with waiting messages gets a share. The weight of
 * a class grows while its first message waits. One-time passwords get at least half of all turns.
 */
export class ClassRotation {
  readonly #credits = new Map<number, number>();

  /** The class whose turn is next; undefined if no class has waiting messages. */
  next(waiting: readonly WaitingClass[]): number | undefined {
    const shares = shareOut(waiting);
    const total = shares.reduce((sum, { weight }) => sum + weight, 0);
    let best: { messageClass: number; credit: number } | undefined;
    for (const { messageClass, weight } of shares) {
      const credit = (this.#credits.get(messageClass) ?? 0) + weight / total;
      this.#credits.set(messageClass, credit);
      if (best === undefined || credit > best.credit) best = { messageClass, credit };
    }
    if (best === undefined) return undefined;
    this.#credits.set(best.messageClass, best.credit - 1);
    // a class without waiting messages accumulates no credit
    for (const kept of this.#credits.keys()) {
      if (!shares.some(({ messageClass }) => messageClass === kept)) this.#credits.delete(kept);
    }
    return best.messageClass;
  }
}

function shareOut(waiting: readonly WaitingClass[]): { messageClass: number; weight: number }[] {
  const shares = waiting.map(({ messageClass, waitedMs }) => {
    const weight = weights[messageClass] ?? 1;
    return { messageClass, weight: weight * (1 + Math.min(Math.max(waitedMs, 0) / AGEING_MS, OLDEST)) };
  });
  const otp = shares.find((share) => share.messageClass === OTP);
  if (otp === undefined) return shares;
  const others = shares.reduce((sum, share) => (share === otp ? sum : sum + share.weight), 0);
  return shares.map((share) => (share === otp ? { ...share, weight: Math.max(share.weight, others) } : share));
}
