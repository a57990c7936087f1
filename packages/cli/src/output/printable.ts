/**
 * Makes text from other people safe to show: a merchant's name must neither break a table nor move the cursor. All output
 * goes through one of these three functions, which escape the same characters.
 */

// Characters that a terminal obeys (C0, DEL, C1), lone surrogates, and characters that end a line or change the direction
// of the text that follows (the "Trojan Source" trick). Joiners are not included: emoji and scripts need them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Escapes a text so that it stays on one line. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT[character] ?? escapeCharacter(character));
}

/** Escapes a text, except for newlines and tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\n\t]+/g, printable);
}

/** Escapes JSON without changing its value: unprintable characters can only be inside its strings. */
export function printableJson(json: string): string {
  return json.replace(/[^\n]+/g, (line) => line.replace(UNPRINTABLE, escapeCharacter));
}
