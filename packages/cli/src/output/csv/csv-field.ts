/** CSV fields that a program reads unchanged, and that a spreadsheet opens without running them. */

/** Characters that start a formula, fullwidth ones included, after characters that a spreadsheet skips. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]\d+(?:\.\d+)?$/;

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula. A phone number or a negative number does
 * no harm there, and stays unchanged for programs.
 */
export function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Reverses `harmless` when a file of our own is read back; a text added since is unchanged. */
export function asBefore(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** Quotes a field per RFC 4180, where the separator may be another. */
export function quoted(text: string, separator = ","): string {
  return text.includes(separator) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
