// What the events of all mail providers have in common.

import { objectOf } from "../../../domain/document-checks.ts";
import type { MailReport } from "../../../domain/messages/emails.ts";

/** A report about a mail, and texts of the event that may identify the mail. One of these may contain our token. */
export interface MailEvent {
  readonly names: readonly string[];
  readonly report: MailReport;
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

export type Fields = Readonly<Record<string, unknown>>;

/** Reads JSON. Returns undefined if the text is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value as an object; if it is not an object, one without fields. */
export function fieldsOf(value: unknown): Fields {
  return objectOf(value, "").fields;
}

/** The value as a text; numbers are converted, and any other value gives an empty text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** Joins the parts of an explanation that are not empty and do not repeat an earlier part. */
export function joinWords(...parts: readonly string[]): string {
  const joined: string[] = [];
  for (const part of parts) if (part !== "" && !joined.some((before) => before.includes(part))) joined.push(part);
  return joined.join(" ");
}
