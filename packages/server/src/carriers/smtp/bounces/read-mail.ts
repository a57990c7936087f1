// Reads the report in a bounced mail, by `postal-mime`.

import PostalMime, { type Email } from "postal-mime";
import {
  type MailReport,
  readDeliveryStatus,
  readFailedRecipients,
  readFeedback,
  readQmailBounce,
} from "../../../domain/messages/emails.ts";
import { MOST_KEPT_BYTES } from "./mail-session.ts";

/** A mail, and whether it came to the return address of a message of this server. */
export interface MailToRead {
  /** Its beginning, with the dots that SMTP adds to lines. */
  readonly head: Uint8Array;
  readonly isOurs: boolean;
}

/** A mail's report, and the names that it gives to the original mail; one of them may be a token. */
export interface ReadMail {
  readonly report?: MailReport | undefined;
  readonly names: readonly string[];
  /** Whether its structure exceeds the limits of a report. */
  readonly isUnreadable?: boolean;
}

const limits = {
  maxNestingDepth: 20,
  maxHeadersSize: 65_536,
  forceRfc822Attachments: true,
  attachmentEncoding: "utf8",
} as const;

/** Bounds of the part of a mail that is parsed. Each line costs the parser time and memory, however short. */
const bounds = {
  ours: { bytes: MOST_KEPT_BYTES, lines: 4_000 },
  /** At any other address, to which everybody can write. */
  others: { bytes: 65_536, lines: 2_000 },
} as const;
const MOST_NAMES = 20;

/** Reads the beginning of a mail. At an address that is no message's own, only a mail that calls itself a report is parsed. */
export async function readMail({ head, isOurs }: MailToRead): Promise<ReadMail> {
  const source = cut(head, isOurs ? bounds.ours : bounds.others);
  if (!isOurs && !REPORT.test(source)) return { names: [] };
  const mail = await PostalMime.parse(Buffer.from(source, "latin1"), limits).catch(() => undefined);
  if (mail === undefined) return { names: [], isUnreadable: true };
  return { report: readReport(mail, isOurs), names: isOurs ? [] : listNames(mail) };
}

const REPORT = /multipart\/report/i;
/** The dot that SMTP puts before another one at the beginning of a line. */
const ADDED_DOT = /(^|\r\n)\.(?=\.)/g;

/** Returns the beginning of a mail within the bounds, one character a byte. */
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
  // reports older than RFC 3464 name no mail: only the address that they came to does
  if (!isOurs) return undefined;
  const text = mail.text ?? "";
  const failedRecipients = mail.headers.find(({ key }) => key === "x-failed-recipients")?.value;
  return failedRecipients === undefined ? readQmailBounce(text) : readFailedRecipients(failedRecipients, text);
}

/** Matches the id or return address of the mail that a report is about, in the report or in the mail that it quotes. */
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
