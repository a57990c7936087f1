/**
 * Text from the service as it may be shown on a terminal: control characters become visible escapes, so that a
 * merchant's name can neither break a table nor move the cursor.
 */

// Control characters, and the marks that reverse the direction of what follows (the trick of "Trojan Source").
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of printable text. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    return SHORT[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}

/** Text of several lines, printable but for their ends and tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\n\t]+/g, printable);
}
