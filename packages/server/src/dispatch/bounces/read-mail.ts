import PostalMime, { type Email } from "postal-mime";
import { type MailReport, readDeliveryStatus, readFeedback } from "../../rules/mail-reports.ts";
import type { MessageTokens } from "../../rules/message-tokens.ts";
import { readReturnAddress } from "../../rules/return-addresses.ts";

/** A report, and the message that it is of. */
export interface ReadReport {
  readonly messageId: string;
  readonly report: MailReport;
}

const limits = {
  maxNestingDepth: 20,
  maxHeadersSize: 65_536,
  forceRfc822Attachments: true,
  attachmentEncoding: "utf8",
} as const;

/**
 * Reads a mail that came to these addresses; undefined for one that reports nothing, or is of no message of this server.
 * Only the token of a message tells which it is of: everybody can write mails.
 */
export async function readMail(
  source: Buffer,
  recipients: readonly string[],
  tokens: MessageTokens,
): Promise<ReadReport | undefined> {
  const mail = await PostalMime.parse(source, limits);
  const report = readReport(mail);
  if (report === undefined) return undefined;
  const messageId = findMessage(mail, recipients, tokens);
  return messageId === undefined ? undefined : { messageId, report };
}

function readReport(mail: Email): MailReport | undefined {
  const parts = textsOf(mail);
  const status = parts.get("message/delivery-status") ?? parts.get("message/global-delivery-status");
  if (status !== undefined) return readDeliveryStatus(status);
  const feedback = parts.get("message/feedback-report");
  return feedback === undefined ? undefined : readFeedback(feedback);
}

/** Matches the names of the mail that a report is about, in the report or in the mail that it quotes: its id, or its return address. */
const NAMES = /^(?:(?:x-original-)?message-id|return-path|original-mail-from):\s*<?([^>\s@]+)@/gim;

/** By the address that the mail came to, else by what the report says of the mail. */
function findMessage(mail: Email, recipients: readonly string[], tokens: MessageTokens): string | undefined {
  for (const recipient of recipients) {
    const messageId = readReturnAddress(recipient, tokens);
    if (messageId !== undefined) return messageId;
  }
  for (const [type, text] of textsOf(mail)) {
    if (!type.startsWith("message/") && !type.startsWith("text/rfc822-headers")) continue;
    for (const [, name = ""] of text.matchAll(NAMES)) {
      const messageId = tokens.read(name) ?? readReturnAddress(`${name}@`, tokens);
      if (messageId !== undefined) return messageId;
    }
  }
  return undefined;
}

function textsOf({ attachments }: Email): Map<string, string> {
  return new Map(attachments.map(({ mimeType, content }) => [mimeType.toLowerCase(), String(content)]));
}
