/** One paragraph of a plain text, or one item of a list in it. */
export interface Block {
  isItem: boolean;
  /** On one line. */
  text: string;
}

/** A run of words in a plain text, or what a user would type. */
export interface Inline {
  isCode: boolean;
  text: string;
}

/** What stands between backticks, and flags wherever they stand. */
const CODE = /`([^`]+)`|(?<=^|[\s(])(--?[a-z][a-z-]*)/g;

/** The text in parts, so that Markdown and man pages can each set code as they set code. */
export function splitCode(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    parts.push({ isCode: false, text: text.slice(end, match.index) });
    parts.push({ isCode: true, text: match[1] ?? match[2] ?? "" });
    end = match.index + match[0].length;
  }
  parts.push({ isCode: false, text: text.slice(end) });
  return parts.filter((part) => part.text !== "");
}
