// Whether the content of an email is HTML: the contract takes both in one field.

const TAGS =
  "!doctype html|html|head|body|p|br|div|span|table|a|b|i|u|strong|em|h[1-6]|ul|ol|li|img|style|font|center|hr|blockquote|pre";
const ELEMENT = new RegExp(`<(?:${TAGS})(?:\\s[^<>]*)?/?>`, "i");

/** A plain text that merely mentions a `<b>` is one too: shown as HTML it loses nothing but that. */
export function isHtml(content: string): boolean {
  return ELEMENT.test(content);
}
