// Emails: detects HTML, extracts its readable content, normalizes line ends, and parses reports of delivery.

import { type DeliveryReason, readReason } from "./rules.ts";
import { isPermanentReply, isPermanentStatus } from "./suppressions.ts";

/** Elements whose start tag alone shows that a text is HTML. */
const BLOCKS =
  "address|article|aside|blockquote|body|br|caption|center|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|img|legend|li|link|main|menu|meta|nav|ol|p|picture|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul|video";
/** Inline elements: only an end tag shows that a text is HTML, because plain text may mention `<b>`. */
const INLINES =
  "a|abbr|acronym|audio|b|bdi|bdo|big|button|canvas|cite|code|data|del|dfn|em|font|i|iframe|ins|kbd|label|map|mark|object|option|q|s|samp|select|small|source|span|strike|strong|sub|sup|svg|template|textarea|time|tt|u|var";
const STRUCTURE = new RegExp(
  `<!doctype html|<(?:${BLOCKS})(?:\\s[^<>]*)?/?>|</(?:${BLOCKS}|${INLINES})\\s{0,9}>|<a\\s[^<>]*\\bhref\\b`,
  "i",
);

/** Returns whether the content has a block element, a line break, an end tag or a link; a lone `<b>` may be plain text. */
export function isHtml(content: string): boolean {
  return STRUCTURE.test(content);
}

/**
 * Converts line ends to CR LF: mail servers change any other line end in transit, which breaks a DKIM signature. Works byte by
 * byte, because a regular expression is slow for a million line ends.
 */
export function withMailLineEnds(text: string): string {
  const from = Buffer.from(text);
  const to = Buffer.allocUnsafe(2 * from.length);
  let written = 0;
  for (let at = 0; at < from.length; at += 1) {
    const byte = from[at] as number;
    if (byte !== LF && byte !== CR) {
      to[written++] = byte;
      continue;
    }
    at += lengthOfLineEnd(from, at) - 1;
    to[written++] = CR;
    to[written++] = LF;
  }
  return to.toString("utf8", 0, written);
}

const LF = 0x0a;
const CR = 0x0d;

/** Length of the line end at `at`: CR LF, CR CR LF, LF CR, or CR or LF alone. */
function lengthOfLineEnd(text: Buffer, at: number): number {
  const [first, second, third] = [text[at], text[at + 1], text[at + 2]];
  if (first === CR) return second === LF ? 2 : second === CR && third === LF ? 3 : 1;
  return second === CR && third !== LF ? 2 : 1;
}

/** Elements whose content is not displayed. The head contains no other text. */
const UNREAD = new Set(["style", "script", "title", "template"]);
/** Attributes to keep: links, and texts of images. */
const attributes: Readonly<Record<string, RegExp>> = {
  a: /\shref\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/i,
  img: /\salt\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/i,
};
const NAME = /[a-z][a-z\d]*/iy;

/**
 * Returns the visible content of HTML, as HTML: without comments, styles, scripts, the title, and attributes except
 * `href` and `alt`. Returns at most `limit` UTF-16 units, and reads only as much of the input as they require.
 */
export function readableHtml(html: string, limit: number): { readonly html: string; readonly isCut: boolean } {
  let readable = "";
  let at = 0;
  while (at < html.length && readable.length <= limit) {
    const tag = html.indexOf("<", at);
    const text = html.slice(at, tag < 0 ? undefined : Math.min(tag, at + limit + 1));
    readable += text;
    at += text.length;
    if (at !== tag) continue;
    const [kept, end] = readTag(html, tag);
    readable += kept;
    at = end;
  }
  if (readable.length <= limit) return { html: readable, isCut: false };
  // do not cut within a tag, a word or a surrogate pair
  const cut = readable.slice(0, limit).replace(/<[^<>]*$|(?<=\s)[^\s<>]{1,60}$|[\ud800-\udbff]$/, "");
  return { html: cut, isCut: true };
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

const INLINE_TAG = new RegExp(`</?(?:${INLINES})\\b[^<>]*>`, "gi");

/** Returns the beginning of an email's visible text, in one line: that of HTML without its tags, else the text itself. */
export function readVisibleText(content: string, limit: number): string {
  if (!isHtml(content)) return content.slice(0, limit);
  // tags take room, so read more than is returned
  const { html } = readableHtml(content, 4 * limit);
  return html
    .replace(INLINE_TAG, "")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,6})|([a-z]+));/gi, (entity, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
      const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    })
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, limit);
}

/** Reads the tag at `start`, or the whole element if it is not displayed. Returns the text to keep and the end. */
function readTag(html: string, start: number): [kept: string, end: number] {
  if (html.startsWith("<!--", start)) return ["", endAfter(html, "-->", start + 4)];
  const isClosing = html[start + 1] === "/";
  NAME.lastIndex = start + (isClosing ? 2 : 1);
  const name = NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) {
    const isMarkup = /[!?/]/.test(html[start + 1] ?? "");
    return isMarkup ? ["", endAfter(html, ">", start)] : ["&lt;", start + 1];
  }
  const end = endOfTag(html, NAME.lastIndex);
  if (isClosing) return [`</${name}>`, end];
  if (UNREAD.has(name)) return ["", endOfElement(html, name, end)];
  const [attribute = ""] = attributes[name]?.exec(html.slice(start, end)) ?? [];
  return [`<${name}${attribute}>`, end];
}

/** Finds the end of a tag. A `>` in a quoted value does not end it; an unclosed tag extends to the end of the text. */
function endOfTag(html: string, from: number): number {
  let quote: string | undefined;
  for (let at = from; at < html.length; at += 1) {
    const character = html[at];
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
    } else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && html[at - 1] === "=") quote = character;
  }
  return html.length;
}

function endOfElement(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}\\b`, "gi");
  closing.lastIndex = from;
  return closing.exec(html) === null ? html.length : endOfTag(html, closing.lastIndex);
}

function endAfter(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found < 0 ? html.length : found + end.length;
}

/**
 * A received report: a delivery status (RFC 3464, or two older formats), a complaint (RFC 5965), or the event of a mail
 * provider.
 */
export type MailReport =
  | { readonly kind: "delivered"; readonly detail: string }
  /** Relayed to a server that may send no reports, or expanded to a list. A failure may still follow. */
  | { readonly kind: "relayed"; readonly detail: string }
  | {
      readonly kind: "undelivered";
      readonly reason: DeliveryReason;
      readonly detail: string;
      /** Whether the address bounced for good. @default as the status in `detail` says */
      readonly isPermanent?: boolean;
    }
  | { readonly kind: "complaint" }
  /** The recipient used the provider's own link to unsubscribe. */
  | { readonly kind: "unsubscribed" };

/** A group of header fields, keyed by name in lower case. */
type Fields = ReadonlyMap<string, string>;

/**
 * Returns the first final status; else reports that the email was relayed. Returns undefined if the email is only delayed, or
 * if the text is no report.
 */
export function readDeliveryStatus(text: string): MailReport | undefined {
  let passedOn: MailReport | undefined;
  for (const fields of readGroups(text)) {
    const status = fields.get("status") ?? "";
    const [, subject] = /^\s*\d\.(\d{1,3})\.\d{1,3}\b/.exec(status) ?? [];
    const detail = fields.get("diagnostic-code")?.replace(/^\s*[\w-]+\s*;\s*/, "") ?? status;
    // the value may contain a comment (RFC 3464, 2.1.1), as in: failed (no such user)
    const action = fields.get("action")?.replace(/\s*\(.*$/, "");
    switch (action?.toLowerCase()) {
      case "delivered":
        return { kind: "delivered", detail };
      // RFC 3464, 2.3.3
      case "relayed":
      case "expanded":
        passedOn = { kind: "relayed", detail };
        break;
      case "failed":
        return {
          kind: "undelivered",
          reason: subject === "7" ? "BLOCKED" : "UNREACHABLE",
          detail,
          isPermanent: isPermanentStatus(status) || isPermanentReply(detail),
        };
    }
  }
  return passedOn;
}

/** Parses Exim's plain format: the header lists the recipients that failed permanently, the text their servers' answers. */
export function readFailedRecipients(header: string, text: string): MailReport | undefined {
  if (!header.includes("@")) return undefined;
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const recipient = lines.findIndex((line) => /^ {2}[^\s@]+@\S+$/.test(line));
  const others = lines.slice(recipient + 1);
  const end = others.findIndex((line) => !line.startsWith("    "));
  return toFailure(recipient < 0 ? "" : others.slice(0, end < 0 ? undefined : end).join(" "));
}

/** Parses qmail's format (https://cr.yp.to/proto/qsbmf.txt): a paragraph for each recipient that failed permanently. */
export function readQmailBounce(text: string): MailReport | undefined {
  const [opening = "", ...paragraphs] = text.replaceAll("\r\n", "\n").trimStart().split("\n\n");
  if (!opening.startsWith("Hi. This is the")) return undefined;
  const quoted = paragraphs.findIndex((paragraph) => /^\s*-/.test(paragraph));
  for (const paragraph of paragraphs.slice(0, quoted < 0 ? undefined : quoted)) {
    const [, words] = /^\s*<[^<>\n]+>:\n(.+)$/s.exec(paragraph) ?? [];
    if (words !== undefined) return toFailure(words);
  }
  return undefined;
}

function toFailure(words: string): MailReport {
  const detail = words.replaceAll(/\s+/g, " ").trim();
  return { kind: "undelivered", reason: readReason(detail), detail, isPermanent: isPermanentReply(detail) };
}

const complaints = new Set(["abuse", "fraud", "opt-out", "opt-out-list"]);

/** Returns whether a type of feedback (RFC 5965, 7.3) is a complaint. Others are `not-spam`, `virus` and `auth-failure`. */
export function isComplaint(feedbackType: string): boolean {
  return complaints.has(feedbackType.toLowerCase());
}

/** Returns a complaint about an email; undefined for other feedback, such as `not-spam`. */
export function readFeedback(text: string): MailReport | undefined {
  const isOne = readGroups(text).some((fields) => isComplaint(fields.get("feedback-type") ?? ""));
  return isOne ? { kind: "complaint" } : undefined;
}

/** Splits a text into groups of fields at blank lines. A line that begins with a space or tab continues the previous one. */
function readGroups(text: string): Fields[] {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/\n[ \t]+/g, " ")
    .split(/\n\s*\n/)
    .map((group) => {
      const fields = group.split("\n").flatMap((line) => {
        const colon = line.indexOf(":");
        return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
      });
      return new Map(fields);
    });
}
