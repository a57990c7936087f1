/** One paragraph of a plain text, or one item of a list in it. */
export interface Block {
  isItem: boolean;
  /** On one line. */
  text: string;
}

/** A run of words in a plain text, or text that a user would type. */
export interface Inline {
  isCode: boolean;
  text: string;
}

/** Text between backticks, and flags anywhere. */
const CODE = /`([^`]+)`|(?<=^|[\s(])(--?[a-z][a-z-]*)/g;

/** Splits the text into parts, so that Markdown and man pages can each format code their own way. */
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
