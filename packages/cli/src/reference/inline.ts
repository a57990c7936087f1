/** A run of words in a text, or what a user would type. */
export interface Part {
  isCode: boolean;
  text: string;
}

/** What stands between backticks, and flags wherever they stand. */
const CODE = /`([^`]+)`|(?<=^|[\s(])(--?[a-z][a-z-]*)/g;

/** The text in parts, so that each form of the reference can set code as it sets code. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    parts.push({ isCode: false, text: text.slice(end, match.index) });
    parts.push({ isCode: true, text: match[1] ?? match[2] ?? "" });
    end = match.index + match[0].length;
  }
  parts.push({ isCode: false, text: text.slice(end) });
  return parts.filter((part) => part.text !== "");
}
