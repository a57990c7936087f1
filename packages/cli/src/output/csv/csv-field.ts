/** CSV fields that a spreadsheet does not run as formulas. */

/** Matches a text that a spreadsheet would run as a formula. Spreadsheets skip some characters, and accept fullwidth signs. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]\d+(?:\.\d+)?$/;

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula. A phone number or a negative number is
 * harmless as a formula, so it stays unchanged for programs.
 */
export function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Reverses `harmless` when msgctl reads a file that it wrote. A text that the user has typed since is unchanged. */
export function asBefore(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** Quotes a field as RFC 4180 does, for any separator. */
export function quoted(text: string, separator = ","): string {
  return text.includes(separator) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
