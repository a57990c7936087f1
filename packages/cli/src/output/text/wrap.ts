import { withoutStyle } from "./style.ts";
import { displayWidth, isNarrowText } from "./width.ts";

/**
 * Breaks `text` into lines of at most `width` columns. All lines but the first begin with `hanging`. A command in backticks
 * is never broken, so that it can be copied.
 */
export function wrap(text: string, width: number, hanging: string): string[] {
  const lines: string[] = [];
  // check the whole text once, since help wraps about a hundred texts
  const isNarrow = isNarrowText(text);
  let line: string | undefined;
  let lineWidth = 0;
  for (const piece of splitPieces(text)) {
    const pieceWidth = isNarrow ? piece.length : visibleWidth(piece);
    if (line === undefined) [line, lineWidth] = [piece, pieceWidth];
    else if (lineWidth + 1 + pieceWidth <= width) [line, lineWidth] = [`${line} ${piece}`, lineWidth + 1 + pieceWidth];
    else {
      lines.push(line);
      [line, lineWidth] = [hanging + piece, hanging.length + pieceWidth];
    }
  }
  return line === undefined ? lines : [...lines, line];
}

/** Splits a text at each space, but keeps text in backticks in one piece. Joining the pieces restores the text. */
function splitPieces(text: string): string[] {
  const pieces: string[] = [];
  let isQuoted = false;
  for (const word of text.split(" ")) {
    if (isQuoted) pieces.push(`${pieces.pop() ?? ""} ${word}`);
    else pieces.push(word);
    if (word.split("`").length % 2 === 0) isQuoted = !isQuoted;
  }
  return pieces;
}

function visibleWidth(text: string): number {
  return displayWidth(withoutStyle(text));
}
