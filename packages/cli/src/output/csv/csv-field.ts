/** A text as a field of a CSV file that a program reads as it is, and a spreadsheet opens without running it. */

/** Signs of a formula, fullwidth ones among them, and what a spreadsheet skips before one. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]\d+(?:\.\d+)?$/;

/**
 * A spreadsheet takes a text that begins like this for a formula, and runs it: an apostrophe before it prevents that. A
 * phone number or a negative number does nothing there, and stays what it is for whoever reads it with a program.
 */
export function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** The reverse, for a file of our own that is read again; a text that was put in since is taken as it is. */
export function asBefore(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** As RFC 4180 has it. */
export function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
