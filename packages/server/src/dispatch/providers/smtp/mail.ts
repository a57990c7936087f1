// What a message looks like as a mail: its headers, a text part beside HTML, and the address that its bounce goes to.

import { compile } from "html-to-text";
import type { SendMailOptions } from "nodemailer";
import type { SmtpSettings } from "../../../rules/carrier-settings.ts";
import { isHtml, readableHtml, withMailLineEnds } from "../../../rules/email-contents.ts";
import { type Mailbox, readMailbox } from "../../../rules/mailboxes.ts";
import type { MessageTokens } from "../../../rules/message-tokens.ts";
import { toReturnAddress } from "../../../rules/return-addresses.ts";
import { toUnsubscribeUrl } from "../../../rules/unsubscribe-urls.ts";
import type { Submission } from "../provider.ts";

export interface MailParts {
  readonly settings: SmtpSettings;
  readonly bounceTokens: MessageTokens;
  readonly unsubscribeTokens: MessageTokens;
  /** URL under which people reach the server; undefined where the operator has not set one. */
  readonly publicUrl: string | undefined;
}

/** Writes the mail of a message, sent at `now`. */
export function writeMail(parts: MailParts, submission: Submission, now: number): SendMailOptions {
  const { settings, bounceTokens } = parts;
  const { clientReference, to, subject, automatic } = submission;
  const content = withMailLineEnds(submission.content);
  const from = requireMailbox(settings.from);
  const [, domain] = from.address.split("@");
  return {
    from,
    to: { name: "", address: to },
    ...(settings.replyTo === undefined ? {} : { replyTo: requireMailbox(settings.replyTo) }),
    subject: toHeader(withoutBreaks(subject ?? "")),
    // quoted by bounces and complaints
    messageId: `<${bounceTokens.make(clientReference)}@${domain}>`,
    date: new Date(now),
    ...(isHtml(content) ? { html: content, text: withMailLineEnds(toText(content)) } : { text: content }),
    headers: {
      // RFC 3834: nobody's out-of-office note answers it
      "Auto-Submitted": automatic ? "auto-replied" : "auto-generated",
      ...unsubscribeHeaders(parts, submission),
    },
    ...(hasManyLines(content) ? { textEncoding: "base64" as const } : {}),
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
    dsn: {
      id: bounceTokens.make(clientReference),
      return: "headers" as const,
      notify: ["success", "failure"],
      recipient: `rfc822;${to}`,
    },
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

/** UTF-16 units of HTML that are converted: more would hold the thread too long. */
const LONGEST_CONVERTED = 16_384;
const CUT = "[…] This is the beginning of the message. The whole of it is in its HTML part.";
const NOTHING = "This message has no text: it is in its HTML part.";
/** Runs of invisible characters, with which senders fill an inbox's preview. A single one may join letters. */
const UNSEEN =
  "[\\u00ad\\u034f\\u200b-\\u200f\\u2060\\ufeff]|&(?:zwnj|zwj|shy|#8203|#8204|#8205|#847|#x200[b-d]|#x34f);";
const BLANK = "[\\s\\u00a0\\u2007]|&(?:nbsp|#160|#8199|#xa0|#x2007);";
const FILLER = new RegExp(`(?:(?:${UNSEEN})(?:${BLANK})*){2,}|(?:${BLANK}){10,}`, "gi");

/** The text part of HTML, which is never empty: mails without one are taken for spam. */
function toText(content: string): string {
  const { html, isCut } = readableHtml(content, LONGEST_CONVERTED);
  const text = convert(html.replaceAll(FILLER, " ")).trim();
  if (isCut) return `${text}\n\n${CUT}`.trim();
  return text === "" ? NOTHING : text;
}

const convert = compile({
  wordwrap: 78,
  limits: { maxDepth: 64 },
  formatters: {
    alt: ({ attribs }, _walk, builder) => builder.addInline(attribs?.alt ?? ""),
    cell: ({ children }, walk, builder) => {
      builder.addInline(" ");
      walk(children, builder);
      builder.addInline(" ");
    },
  },
  selectors: [
    { selector: "img", format: "alt" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
  ],
});

/** RFC 5322, 2.1.1: a line has 998 octets at most. Headers are folded at blanks alone, and encoded words have blanks between. */
function toHeader(text: string): string {
  if (!LONG_WORD.test(text)) return text;
  const words = text.match(/.{1,14}/gsu) ?? [];
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join(" ");
}

const LONG_WORD = /\S{900}/;

/** A line break would begin a header of the sender's choice. */
function withoutBreaks(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** Whether quoted-printable, which costs by lines, would hold the server's thread for long: 0.1 s for half a million. */
function hasManyLines(content: string): boolean {
  if (content.length < FEW_CHARACTERS) return false;
  let lines = 0;
  for (let at = 0; at < content.length; at += 1) if (content.charCodeAt(at) === LF) lines += 1;
  return lines * SHORT_LINE > content.length;
}

const FEW_CHARACTERS = 65_536;
/** Fewer characters than the lines of any real mail have on average. */
const SHORT_LINE = 10;
const LF = 0x0a;

function requireMailbox(text: string): Mailbox {
  const mailbox = readMailbox(text);
  if (mailbox === undefined) throw new Error("a carrier was set with an address that is none");
  return mailbox;
}
