// Decides which bounces suppress a recipient: sends to an address or number that does not exist are not worth making, and
// mailbox providers and carriers judge a sender by them.

import type { Channel } from "../contacts.ts";
import type { DeliveryReason } from "./rules.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Time for which a recipient stays suppressed, and for which a number's first bounce is remembered: 90 days. */
export const SUPPRESSED_MS = 90 * DAY_MS;

/** How many successive messages of a carrier are judged. */
export const JUDGED = 100;
const MOST_BOUNCED = JUDGED / 5;

/**
 * Enhanced status codes (RFC 3463, RFC 7505) of an address that will not accept mail later either: no such mailbox, bad
 * syntax, moved without a forwarding address, a domain that accepts no mail, a disabled mailbox.
 */
const permanentStatuses: ReadonlySet<string> = new Set(["5.1.1", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]);

/** Returns whether a status, such as `5.1.1 (no such user)`, says that the address bounces for good. */
export function isPermanentStatus(status: string): boolean {
  const [, code = ""] = /^\s*(\d\.\d{1,3}\.\d{1,3})(?![.\d])/.exec(status) ?? [];
  return permanentStatuses.has(code);
}

/** How much of a reply is read. The status is near its beginning. */
const READ_CHARACTERS = 4_096;

/** Returns whether a reply, `550 5.1.1 no such user` or qmail's `(#5.1.1)`, says that the address bounces for good. */
export function isPermanentReply(reply: string): boolean {
  const start = reply.slice(0, READ_CHARACTERS);
  const [, status = ""] = /(?:\b5\d\d[ -]|\(#)(5\.\d{1,3}\.\d{1,3})(?![.\d])/.exec(start) ?? [];
  return permanentStatuses.has(status);
}

/** A message that a carrier refused or could not deliver. */
export interface Bounce {
  readonly channel: Channel;
  readonly reason: DeliveryReason | null;
  /** Whether the address bounced for good. */
  readonly isPermanent: boolean;
  /** In epoch milliseconds. */
  readonly at: number;
}

/** Returns whether bounces of this kind can suppress their recipient. */
export function canSuppress({ channel, reason, isPermanent }: Omit<Bounce, "at">): boolean {
  return (channel === "EMAIL" && isPermanent) || (channel === "SMS" && reason === "UNKNOWN_HANDSET");
}

/**
 * Returns whether a bounce suppresses its recipient: an address at once, a number if it also bounced on an earlier day (UTC)
 * and nothing was delivered since. `bouncedAt` is the time of that earlier bounce. One report about a number may be wrong:
 * networks also lose a phone that is moving to another carrier.
 */
export function isSuppressedBy(bounce: Bounce, bouncedAt: number | undefined): boolean {
  if (!canSuppress(bounce)) return false;
  return bounce.channel === "EMAIL" || (bouncedAt !== undefined && dayOf(bouncedAt) < dayOf(bounce.at));
}

/** The day of a time, counted from the epoch in UTC. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS);
}

/** Returns whether so many of `JUDGED` successive messages bounced that the carrier, or a whole list, is at fault. */
export function bouncesTooOften(bounced: number): boolean {
  return bounced > MOST_BOUNCED;
}

/** Explains why a message to a suppressed recipient was not sent. */
export function describeSuppression({
  channel,
  reason,
  suppressedAt,
}: {
  readonly channel: Channel;
  readonly reason: DeliveryReason;
  readonly suppressedAt: number;
}): string {
  const cause = channel === "EMAIL" ? "the address bounced for good" : "the number did not exist on two days";
  const since = new Date(suppressedAt).toISOString();
  return `suppressed since ${since}, because ${cause} (${reason}); lift it on the recipient's page or with msgd recipients unsuppress`;
}
