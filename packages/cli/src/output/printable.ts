/**
 * What others wrote, as it may be shown: a merchant's name must neither break a table nor move the cursor. Whatever is
 * printed goes through one of these three, which escape the same characters.
 */

// What a terminal obeys (C0, DEL, C1), halves of a pair that stand alone, and what ends a line or turns the direction of
// what follows (the trick of "Trojan Source"). Joiners are none of it: emoji and scripts need them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One line of printable text. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT[character] ?? escapeCharacter(character));
}

/** Text of several lines, printable but for their ends and tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\n\t]+/g, printable);
}

/** JSON, indented or not, as printable JSON of the same value: only within its texts can there be anything to escape. */
export function printableJson(json: string): string {
  return json.replace(/[^\n]+/g, (line) => line.replace(UNPRINTABLE, escapeCharacter));
}
