// Parts that the events of all mail providers share.

import type { MailReport } from "../../../domain/messages/emails.ts";

/** A report about a mail, and texts of the event that may identify the mail. One of these may contain our token. */
export interface MailEvent {
  readonly names: readonly string[];
  readonly report: MailReport;
  /**
   * When it happened, as the provider writes it: the same in each repetition. Undefined if the provider does not say. Whoever
   * opts in again may use the link of an old mail once more.
   */
  readonly happenedAt?: string;
}

/** Returns the events of several reports about a mail. */
export function toMailEvents(
  reports: readonly MailReport[],
  { names, happenedAt }: { names: readonly string[]; happenedAt: string },
): MailEvent[] {
  return reports.map((report) => ({ names, report, ...(happenedAt === "" ? {} : { happenedAt }) }));
}

/** The events of a request, or why the request is refused. */
export type ReadEvents = { readonly events: readonly MailEvent[] } | { readonly refused: string };

/** Name of the field in which a provider returns our token. */
export const TOKEN_FIELD = "msgd";

/**
 * Providers repeat a request for up to a day, and do not say whether they sign it again. A replayed request changes nothing
 * within this time: events are remembered for longer.
 */
const LATEST_REPEAT_MS = 25 * 60 * 60_000;
/** How far a provider's clock may be ahead. */
const MOST_AHEAD_MS = 5 * 60_000;

/** Returns whether a request with this signed time may still be accepted. */
export function isTimely(signedAt: number, now: number): boolean {
  return signedAt >= now - LATEST_REPEAT_MS && signedAt <= now + MOST_AHEAD_MS;
}

/** Reads a time in seconds since 1970. Returns NaN if the text is not one. */
export function readSeconds(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Number.NaN;
}

/** Joins the parts of an explanation that are not empty and do not repeat an earlier part. */
export function joinWords(...parts: readonly string[]): string {
  const joined: string[] = [];
  for (const part of parts) if (part !== "" && !joined.some((before) => before.includes(part))) joined.push(part);
  return joined.join(" ");
}
