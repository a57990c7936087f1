// Tables as CSV files (RFC 4180), which spreadsheets open.

/** Characters with which a spreadsheet takes a text for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Numbers in E.164 begin with a plus, but are no formulas. */
const NUMBER = /^\+?\d+$/;

/** Formats rows as CSV. A text that a spreadsheet would take for a formula is preceded by an apostrophe. */
export function formatCsv(headings: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return [headings, ...rows].map((row) => `${row.map((value) => formatCell(value ?? "")).join(",")}\r\n`).join("");
}

function formatCell(value: string): string {
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
