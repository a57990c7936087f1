/** Emphasis on a terminal, nothing elsewhere. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

const wrap = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`;
const plain = (text: string) => text;

// By class, since the linter takes a control character in a pattern for a mistake.
const SEQUENCE = /\p{Cc}\[\d+m/gu;

/** The text without its styling. */
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
