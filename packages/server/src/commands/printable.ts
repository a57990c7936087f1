// Texts of others for a terminal, which control characters would command and bidirectional ones rearrange.

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

/** The text on one line, with such characters by their numbers: `\u001b`. */
export function toPrintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The longest excerpt of a text, in characters. */
const EXCERPT = 60;

/** Returns the beginning of a text, for a line on a terminal. */
export function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, 2 * EXCERPT).replaceAll(/\s+/g, " "));
  const isCut = characters.length > EXCERPT || text.length > 2 * EXCERPT;
  return toPrintable(characters.slice(0, EXCERPT).join("")) + (isCut ? "…" : "");
}
