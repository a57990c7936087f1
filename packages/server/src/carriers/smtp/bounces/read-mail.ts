// Extracts the report from a bounced mail, using `postal-mime`.

import PostalMime, { type Email } from "postal-mime";
import {
  type MailReport,
  readDeliveryStatus,
  readFailedRecipients,
  readFeedback,
  readQmailBounce,
} from "../../../domain/messages/emails.ts";
import { MOST_KEPT_BYTES } from "./mail-session.ts";

/** A mail, and whether it was sent to the return address of one of our messages. */
export interface MailToRead {
  /** The first bytes of the mail, still with SMTP's dot-stuffing. */
  readonly head: Uint8Array;
  readonly isOurs: boolean;
}

/** A mail's report, and the ids in the mail that may identify the original mail. One of these ids may be our token. */
export interface ReadMail {
  readonly report?: MailReport | undefined;
  readonly names: readonly string[];
  /** Whether the mail's structure exceeds the limits for a report. */
  readonly isUnreadable?: boolean;
}

const limits = {
  maxNestingDepth: 20,
  maxHeadersSize: 65_536,
  forceRfc822Attachments: true,
  attachmentEncoding: "utf8",
} as const;

/** Limits for the parsed part of a mail. Each line, however short, costs the parser time and memory. */
const bounds = {
  ours: { bytes: MOST_KEPT_BYTES, lines: 4_000 },
  /** Lower limits for mails to other addresses, because anybody can write to those. */
  others: { bytes: 65_536, lines: 2_000 },
} as const;
const MOST_NAMES = 20;

/**
 * Reads the first bytes of a mail. If the mail was not sent to the return address of one of our messages, it is parsed
 * only if it declares itself a report.
 */
export async function readMail({ head, isOurs }: MailToRead): Promise<ReadMail> {
  const source = cut(head, isOurs ? bounds.ours : bounds.others);
  if (!isOurs && !REPORT.test(source)) return { names: [] };
  const mail = await PostalMime.parse(Buffer.from(source, "latin1"), limits).catch(() => undefined);
  if (mail === undefined) return { names: [], isUnreadable: true };
  return { report: readReport(mail, isOurs), names: isOurs ? [] : listNames(mail) };
}

const REPORT = /multipart\/report/i;
/** The extra dot that SMTP adds to a line that begins with a dot. */
const ADDED_DOT = /(^|\r\n)\.(?=\.)/g;

/** Returns the first bytes of a mail within the limits, one character per byte. */
function cut(head: Uint8Array, { bytes, lines }: { bytes: number; lines: number }): string {
  const source = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, bytes)).toString("latin1");
  let end = 0;
  for (let line = 0; line < lines; line += 1) {
    const next = source.indexOf("\n", end);
    if (next < 0) return source.replaceAll(ADDED_DOT, "$1");
    end = next + 1;
  }
  return source.slice(0, end).replaceAll(ADDED_DOT, "$1");
}

function readReport(mail: Email, isOurs: boolean): MailReport | undefined {
  const parts = textsOf(mail);
  const status = parts.get("message/delivery-status") ?? parts.get("message/global-delivery-status");
  if (status !== undefined) return readDeliveryStatus(status);
  const feedback = parts.get("message/feedback-report");
  if (feedback !== undefined) return readFeedback(feedback);
  // formats older than RFC 3464 do not name the original mail: only the address that got the report identifies it
  if (!isOurs) return undefined;
  const text = mail.text ?? "";
  const failedRecipients = mail.headers.find(({ key }) => key === "x-failed-recipients")?.value;
  return failedRecipients === undefined ? readQmailBounce(text) : readFailedRecipients(failedRecipients, text);
}

/** Matches the id or return address of the original mail, in the report or in the mail that it quotes. */
const NAMES = /^(?:(?:x-original-)?message-id|return-path|original-mail-from|original-envelope-id):\s*<?([^>\s@]+)/gim;

function listNames(mail: Email): string[] {
  const names: string[] = [];
  for (const [type, text] of textsOf(mail)) {
    if (!type.startsWith("message/") && !type.startsWith("text/rfc822-headers")) continue;
    for (const [, name = ""] of text.matchAll(NAMES)) {
      if (names.length === MOST_NAMES) return names;
      names.push(name);
    }
  }
  return names;
}

function textsOf({ attachments }: Email): Map<string, string> {
  return new Map(attachments.map(({ mimeType, content }) => [mimeType.toLowerCase(), String(content)]));
}
