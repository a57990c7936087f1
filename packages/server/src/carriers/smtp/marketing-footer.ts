// The visible way out of a MARKETING mail, and the sender's postal address: placeholders in the content, else a footer.

import { escapeXml } from "../../domain/provisioning/rules.ts";

/** Values that a MARKETING mail has to show. Undefined if the operator has not set them. */
export interface FooterValues {
  readonly unsubscribeUrl: string | undefined;
  readonly postalAddress: string | undefined;
}

/** Editors encode the braces of a placeholder in a link. */
const PLACEHOLDER = /(?:\{\{|%7b%7b)[ \t]{0,9}(unsubscribe_url|postal_address)[ \t]{0,9}(?:\}\}|%7d%7d)/gi;

type Placeholder = "unsubscribe_url" | "postal_address";

/** Replaces placeholders in HTML, and adds a footer with the values that the content does not show. */
export function withHtmlFooter(html: string, { unsubscribeUrl, postalAddress }: FooterValues): string {
  const url = unsubscribeUrl && escapeXml(unsubscribeUrl);
  const address = postalAddress?.split("\n").map(escapeXml).join("<br>");
  const content = fill(html, { unsubscribe_url: url, postal_address: address });
  const lines: string[] = [];
  if (url !== undefined && !content.includes(url)) lines.push(`<a href="${url}">Unsubscribe</a>`);
  if (address !== undefined && !content.includes(address)) lines.push(address);
  if (lines.length === 0) return content;
  const end = lastIndex(content, /<\/body\b/gi) ?? lastIndex(content, /<\/html\b/gi) ?? content.length;
  return `${content.slice(0, end)}<hr><p>${lines.join("<br>")}</p>${content.slice(end)}`;
}

/** Does the same for plain text, or for the text part of HTML. */
export function withTextFooter(text: string, { unsubscribeUrl, postalAddress }: FooterValues): string {
  const content = fill(text, { unsubscribe_url: unsubscribeUrl, postal_address: postalAddress });
  const lines: string[] = [];
  if (unsubscribeUrl !== undefined && !content.includes(unsubscribeUrl)) lines.push(`Unsubscribe: ${unsubscribeUrl}`);
  if (postalAddress !== undefined && !shows(content, postalAddress)) lines.push(postalAddress);
  return lines.length === 0 ? content : `${content.trimEnd()}\n\n${lines.join("\n")}\n`;
}

/** Replaces the placeholders whose value is known. */
function fill(text: string, values: Readonly<Record<Placeholder, string | undefined>>): string {
  return text.replace(
    PLACEHOLDER,
    (placeholder, name: string) => values[name.toLowerCase() as Placeholder] ?? placeholder,
  );
}

/** Text parts of HTML are shorter. Joining the lines of a longer text would block the thread. */
const LONGEST_WRAPPED = 65_536;

/** Returns whether the text contains a value, perhaps wrapped as in the text part of HTML. */
function shows(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  return text.length <= LONGEST_WRAPPED && inOneLine(text).includes(inOneLine(value));
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function lastIndex(text: string, pattern: RegExp): number | undefined {
  let last: number | undefined;
  for (const { index } of text.matchAll(pattern)) last = index;
  return last;
}
