// What a message looks like as a mail: its headers, a text part beside HTML, and the address that its bounce goes to.

import { compile } from "html-to-text";
import type { SendMailOptions } from "nodemailer";
import type { SmtpSettings } from "../../../rules/carrier-settings.ts";
import { isHtml } from "../../../rules/email-contents.ts";
import { type Mailbox, readMailbox } from "../../../rules/mailboxes.ts";
import type { MessageTokens } from "../../../rules/message-tokens.ts";
import { toReturnAddress } from "../../../rules/return-addresses.ts";
import { toUnsubscribeUrl } from "../../../rules/unsubscribe-urls.ts";
import type { Submission } from "../provider.ts";

export interface MailParts {
  readonly settings: SmtpSettings;
  readonly bounceTokens: MessageTokens;
  readonly unsubscribeTokens: MessageTokens;
  /** Where people reach the server; undefined if nobody has said so. */
  readonly publicUrl: string | undefined;
}

/** Writes the mail of a message, sent at `now`. */
export function writeMail(parts: MailParts, submission: Submission, now: number): SendMailOptions {
  const { settings, bounceTokens } = parts;
  const { clientReference, to, subject, content, automatic } = submission;
  const from = requireMailbox(settings.from);
  const [, domain] = from.address.split("@");
  return {
    from,
    to: { name: "", address: to },
    ...(settings.replyTo === undefined ? {} : { replyTo: requireMailbox(settings.replyTo) }),
    subject: withoutBreaks(subject ?? ""),
    // quoted by bounces and complaints
    messageId: `<${bounceTokens.make(clientReference)}@${domain}>`,
    date: new Date(now),
    ...(isHtml(content) ? { html: content, text: toText(content.slice(0, LONGEST_CONVERTED)) } : { text: content }),
    headers: {
      ...(automatic ? { "Auto-Submitted": "auto-replied" } : {}),
      ...unsubscribeHeaders(parts, submission),
    },
    ...envelopeOf(parts, from, submission),
    // what a tenant writes is content, and never the name of a file or a place to fetch it from
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false,
  };
}

/** Reports are asked for where they are read: RFC 3461. */
function envelopeOf({ settings, bounceTokens }: MailParts, from: Mailbox, { clientReference, to }: Submission) {
  const { returnPath } = settings;
  if (returnPath === undefined) return { envelope: { from: from.address, to: [to] } };
  return {
    envelope: { from: toReturnAddress(returnPath, bounceTokens, clientReference), to: [to] },
    dsn: { id: clientReference, return: "headers" as const, notify: ["success", "failure"], recipient: `rfc822;${to}` },
  };
}

/** One click, without a question: RFC 8058. */
function unsubscribeHeaders(
  { publicUrl, unsubscribeTokens }: MailParts,
  { type, clientReference }: Submission,
): Record<string, string> {
  if (publicUrl === undefined || type !== "MARKETING") return {};
  return {
    "List-Unsubscribe": `<${toUnsubscribeUrl(publicUrl, unsubscribeTokens.make(clientReference))}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Of HTML, in UTF-16 units: more takes longer than others should wait, and no reader of text gets that far. */
const LONGEST_CONVERTED = 16_384;

const toText = compile({
  wordwrap: 78,
  limits: { maxDepth: 64 },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
  ],
});

/** A line break would begin a header of the sender's choice. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function requireMailbox(text: string): Mailbox {
  const mailbox = readMailbox(text);
  if (mailbox === undefined) throw new Error("a carrier was set with an address that is none");
  return mailbox;
}
