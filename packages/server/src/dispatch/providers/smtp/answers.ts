// What an SMTP server's answer means for a message. RFC 5321 says what each reply proves; RFC 3463 has the codes in their text.

import { readReason } from "../../../rules/delivery.ts";
import type { SubmitOutcome } from "../provider.ts";

/** What nodemailer knows of a failure. */
export interface SmtpFailure extends Error {
  readonly code?: string;
  /** What was said last: `MAIL FROM`, `RCPT TO`, `DATA`, `AUTH PLAIN`, `CONN` … */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** The pause after a first deferral, twice as long after each that follows, and the longest. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** The same where no server was reached that could say anything: all others wait too, and the line decides when to try. */
const FIRST_UNREACHED_MS = 1_000;
const LONGEST_UNREACHED_MS = 5 * 60_000;

/** What is said before any mail. */
const OPENING = /^(?:CONN|EHLO|HELO|STARTTLS|AUTH\b.*)$/;
/** RFC 4954, 6: it wants a login, at whatever command it says so. No mail is at fault. */
const LOGIN_WANTED = 530;
/** What nodemailer calls that nobody was reached. */
const UNREACHED: ReadonlySet<string | undefined> = new Set([
  "ECONNECTION",
  "ESOCKET",
  "ETIMEDOUT",
  "EDNS",
  "ETLS",
  "EPROTOCOL",
  "EAUTH",
]);

/**
 * The outcome that a failure proves; undefined where it proves none. `attempts` were made before; `mayHaveLeft` says whether
 * the final dot was let go.
 */
export function readFailure(
  failure: SmtpFailure,
  { attempts, mayHaveLeft }: { attempts: number; mayHaveLeft: boolean },
): SubmitOutcome | undefined {
  const { responseCode = 0, command = "", code, response = failure.message } = failure;
  const detail = response.trim();
  const hasAnswer = responseCode >= 400 && responseCode <= 599;
  const isOpening = OPENING.test(command) || responseCode === LOGIN_WANTED;
  if (!mayHaveLeft && (isOpening || (!hasAnswer && UNREACHED.has(code)))) {
    const retryAfterMs = Math.min(FIRST_UNREACHED_MS * 2 ** attempts, LONGEST_UNREACHED_MS);
    return { outcome: "deferred", retryAfterMs, detail, isUnreached: true };
  }
  if (!hasAnswer) return undefined;
  if (responseCode < 500) {
    return { outcome: "deferred", retryAfterMs: Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS), detail };
  }
  if (command === "RCPT TO") return { outcome: "refused", reason: readReason(detail), isOptOut: false, detail };
  if (command === "DATA") return { outcome: "refused", reason: "CARRIER_FILTERED", isOptOut: false, detail };
  // what we said of ourselves
  return command === "MAIL FROM" ? { outcome: "failed", detail } : undefined;
}

/** The id that a server gave a mail: what its words call one, else the words, without the code. */
export function readQueueId(response: string): string {
  const words = response.replace(/^\d{3}[ -](\d\.\d+\.\d+ )?/, "").trim();
  const [, id] = /\b(?:queued as|id=|Message accepted for delivery:?)\s*<?([\w.@+/=-]+)>?/i.exec(words) ?? [];
  return id ?? words;
}

/** Whether it says that the mail was taken. */
export function isTaken(response: string): boolean {
  return /^2\d\d[ -]/.test(response);
}
