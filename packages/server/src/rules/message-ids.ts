import { hash } from "node:crypto";
import { decodeTime, encodeTime } from "ulid";

const TIME_CHARACTERS = 10;
const NUMBER_CHARACTERS = 16;
/** The digits of a ULID, in their order: no I, L, O or U. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** What every id of a message made at `epochMs` or later is not below: ids sort by their time. */
export function lowestMessageId(epochMs: number): string {
  return `msg_${encodeTime(Math.max(0, epochMs), TIME_CHARACTERS)}`;
}

/**
 * The id of the message that a call is dialled as, known since `createdAt`, when the call was accepted. It goes before
 * what was accepted later, and calls of one time go in the order of their numbers.
 */
export function callMessageId({ requestId, createdAt }: { requestId: number; createdAt: number }): string {
  const number = requestId.toString(digits.length).replace(/./g, (digit) => digits[Number.parseInt(digit, 32)] ?? "");
  return lowestMessageId(createdAt) + number.padStart(NUMBER_CHARACTERS, "0");
}

/** How long a chain may be of replies to confirmations of replies: each goes a millisecond behind what it is of. */
const LONGEST_CHAIN_MS = 100;

/** What no id reaches of a message up to this one, or of a confirmation that such a message led to. */
export function boundOfConfirmations(messageId: string): string {
  return lowestMessageId(timeOf(messageId) + LONGEST_CHAIN_MS);
}

/**
 * The id of the message that confirms a reply: the same whenever the provider tells of the event, so that a carrier can
 * be asked about it by a database that lost it. It goes right behind the message that was replied to: by the
 * time in its id, as a confirmation that was lost is made anew at another time, under the id that it had.
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
