// Messages: ids, states, expiry, and the round-robin of a carrier's queue.

import { hash } from "node:crypto";
import type { Schemas } from "@msgctl/contract";
import { decodeTime, encodeTime } from "ulid";
import type { MessageType } from "../consent/rules.ts";
import type { MessageStatus } from "../transitions.ts";

const TIME_CHARACTERS = 10;
const NUMBER_CHARACTERS = 16;
/** The digits of a ULID, in their order: no I, L, O or U. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The lowest id of messages made at `epochMs` or later: ids sort by their time. */
export function lowestMessageId(epochMs: number): string {
  return `msg_${encodeTime(Math.max(0, epochMs), TIME_CHARACTERS)}`;
}

/**
 * The id of the message that a call is dialled as, known since `createdAt`, when the call was accepted. It sorts before
 * later messages, and calls of one time sort by their numbers.
 */
export function callMessageId({ requestId, createdAt }: { requestId: number; createdAt: number }): string {
  const number = requestId.toString(digits.length).replace(/./g, (digit) => digits[Number.parseInt(digit, 32)] ?? "");
  return lowestMessageId(createdAt) + number.padStart(NUMBER_CHARACTERS, "0");
}

/** Longest chain of confirmations of replies to confirmations: each is a millisecond after its message. */
const LONGEST_CHAIN_MS = 100;

/** An upper bound of the ids of messages up to this one, and of the confirmations that they led to. */
export function boundOfConfirmations(messageId: string): string {
  return lowestMessageId(timeOf(messageId) + LONGEST_CHAIN_MS);
}

/**
 * The id of the message that confirms a reply: the same for each report of the event, so that a carrier can be asked
 * about it by a database that lost it. It sorts right behind the message that was replied to: by the time in its id, as
 * a lost confirmation is made anew at another time, with the same id.
 */
export function confirmationId(reply: { provider: string; eventId: string; repliedTo: string }): string {
  const digest = hash("sha256", JSON.stringify([reply.provider, reply.eventId]), "buffer");
  const chosen = Array.from(digest.subarray(0, NUMBER_CHARACTERS), (byte) => digits[byte % digits.length]);
  return lowestMessageId(timeOf(reply.repliedTo) + 1) + chosen.join("");
}

/** The time in an id, in epoch milliseconds. */
function timeOf(messageId: string): number {
  return decodeTime(messageId.slice("msg_".length));
}

/** The call that `callMessageId` may have made the id for; undefined for an id that it made for none. */
export function readCallMessageId(messageId: string): number | undefined {
  const [, number = ""] = /^msg_\w{10}0{5}(\w{11})$/.exec(messageId) ?? [];
  const values = [...number].map((digit) => digits.indexOf(digit));
  const requestId = values.reduce((sum, value) => sum * digits.length + value, 0);
  return number === "" || values.includes(-1) || !Number.isSafeInteger(requestId) ? undefined : requestId;
}

/** The state of a part of a message; null while it is only known to be taken. */
export type PartStatus = "DELIVERED" | "UNDELIVERED" | "EXPIRED" | null;

/** The state of a message with these parts: a failed one decides, and it is delivered once all are. */
export function joinParts(parts: readonly PartStatus[]): "SENT" | Exclude<PartStatus, null> {
  const failed = parts.find((status) => status === "UNDELIVERED" || status === "EXPIRED");
  if (failed !== undefined && failed !== null) return failed;
  return parts.length > 0 && parts.every((status) => status === "DELIVERED") ? "DELIVERED" : "SENT";
}

/** The states of a message in four words. */
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

/** Reads the reason why a server refuses a recipient's mail, by the enhanced code of its answer. */
export function readReason(words: string): DeliveryReason {
  const [, subject] = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(words) ?? [];
  return subject === "7" ? "BLOCKED" : "UNREACHABLE";
}

/** Longest kept words of a peer, in UTF-16 units: a reply line of SMTP is at most 512 octets. */
const LONGEST_WORDS = 500;
/** Matches controls, lone surrogates and bidirectional marks, which a terminal, a page or PostgreSQL would not show as text. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Cleans a peer's words for storing and showing: one line of bounded length. */
export function cleanWords(words: string, longest = LONGEST_WORDS): string {
  return words.slice(0, longest).replaceAll(UNPRINTABLE, " ").trim();
}

/** 72 hours: the time for which a peer is asked about a message, and within which a message is handed over. */
export const PATIENCE_MS = 72 * 60 * 60 * 1_000;

/**
 * The time until which to ask, in epoch milliseconds. If nothing was asked in time, because no server ran or a backup
 * was restored, the whole time begins anew: nothing is given up unasked.
 */
export function extendPatience({ giveUpAt, asks }: { giveUpAt: number; asks: number }, now: number): number {
  return asks === 0 && now >= giveUpAt ? now + PATIENCE_MS : giveUpAt;
}

/** The longest pause of a carrier between two attempts to report the same. */
const REPORTED_AGAIN_WITHIN_MS = 6 * 60 * 60 * 1_000;

/**
 * The time until which to await reports that a carrier made while no process ran, and makes again. It is past once a
 * process has run for long enough.
 */
export function listenUntil(listeningSince: number): number {
  return listeningSince + REPORTED_AGAIN_WITHIN_MS;
}

/** Default time after its acceptance within which a one-time password is handed over. */
export const OTP_VALIDITY_MS = 10 * 60_000;

/** Time within which a reply is confirmed: a later confirmation would confuse. */
const CONFIRMATION_VALIDITY_MS = 5 * 60_000;

/** The time after which it is too late to hand a message over, in epoch milliseconds. */
export function expiryOf(
  { createdAt, type, purpose }: { createdAt: number; type: MessageType; purpose: "SEND" | "CONFIRMATION" },
  otpValidityMs: number,
): number {
  if (purpose === "CONFIRMATION") return createdAt + CONFIRMATION_VALIDITY_MS;
  return createdAt + (type === "OTP" ? otpValidityMs : PATIENCE_MS);
}

/** The class of each type of message: the lower, the heavier. */
export const messageClasses: Readonly<Record<MessageType, number>> = {
  OTP: 0,
  TRANSACTIONAL: 1,
  REMINDER: 2,
  MARKETING: 3,
};

const weights: readonly number[] = [8, 4, 2, 1];
const OTP = messageClasses.OTP;
/** Waiting time that adds a class's own weight once more. */
const AGEING_MS = 60_000;
/** Largest multiple of its weight that waiting adds. */
const OLDEST = 8;

export interface WaitingClass {
  readonly messageClass: number;
  /** Waiting time of its first message, in milliseconds. */
  readonly waitedMs: number;
}

/**
 * Weighted round-robin of the classes in a carrier's queue: every class that waits gets a share. A class grows heavier
 * while its first message waits; one-time passwords have half of all choices while any waits.
 */
export class ClassRotation {
  readonly #credits = new Map<number, number>();

  /** The class that is next; undefined if none waits. */
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
    // a class that does not wait saves nothing up
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
