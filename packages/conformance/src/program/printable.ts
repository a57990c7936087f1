// What a terminal obeys (C0, DEL, C1), halves of a pair that stand alone, and what ends a line or turns the direction of
// what follows (the trick of "Trojan Source").
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** What a server wrote, as one line that a terminal may show. */
export function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
