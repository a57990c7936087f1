// The content of an email: the contract takes HTML and plain text in one field. What it is, and what of HTML is read by people.

/** Elements that make structure by their mere beginning. */
const BLOCKS =
  "address|article|aside|blockquote|body|br|caption|center|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|img|legend|li|link|main|menu|meta|nav|ol|p|picture|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul|video";
/** Elements within a line: one that is never closed may be a word of a plain text. */
const INLINES =
  "a|abbr|acronym|audio|b|bdi|bdo|big|button|canvas|cite|code|data|del|dfn|em|font|i|iframe|ins|kbd|label|map|mark|object|option|q|s|samp|select|small|source|span|strike|strong|sub|sup|svg|template|textarea|time|tt|u|var";
const STRUCTURE = new RegExp(
  `<!doctype html|<(?:${BLOCKS})(?:\\s[^<>]*)?/?>|</(?:${BLOCKS}|${INLINES})\\s{0,9}>|<a\\s[^<>]*\\bhref\\b`,
  "i",
);

/** A plain text may mention a `<b>`: what is HTML has a block, a line break or something that is closed. */
export function isHtml(content: string): boolean {
  return STRUCTURE.test(content);
}

/**
 * The text with line ends as mail has them. Others are changed on the way, which breaks a signature. Byte by byte: to replace a
 * million line ends takes 70 ms.
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

/** Matches one line end: CR LF, CR CR LF, LF CR, or either alone. */
function lengthOfLineEnd(text: Buffer, at: number): number {
  const [first, second, third] = [text[at], text[at + 1], text[at + 2]];
  if (first === CR) return second === LF ? 2 : second === CR && third === LF ? 3 : 1;
  return second === CR && third !== LF ? 2 : 1;
}

/** Elements whose content nobody reads: a head has no other text. */
const UNREAD = new Set(["style", "script", "title", "template"]);
/** Attributes that are read, or lead somewhere. */
const attributes: Readonly<Record<string, RegExp>> = {
  a: /\shref\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/i,
  img: /\salt\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/i,
};
const NAME = /[a-z][a-z\d]*/iy;

/**
 * Returns the part of HTML that people read, as HTML: without comments, styles, scripts, the title, and attributes but for `href` and `alt`. At
 * most `limit` UTF-16 units are returned, in one pass over what they take.
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
  // not within a tag, a word or a pair of surrogates
  const cut = readable.slice(0, limit).replace(/<[^<>]*$|(?<=\s)[^\s<>]{1,60}$|[\ud800-\udbff]$/, "");
  return { html: cut, isCut: true };
}

/** Returns what is kept of the tag, or of the unread element, at `start`, and where it ends. */
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

/** A `>` in a quoted value ends no tag. What has no end goes to the end of all. */
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
