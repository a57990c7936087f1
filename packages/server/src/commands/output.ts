/** Where a command writes: data and the ready line to `out`, all else to `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

export type OutputFormat = "text" | "json";

/** Prints a list: as one JSON array for programs, a line each for people, or to `err` that there is `none`. */
export function printList<Row>(
  output: Output,
  {
    format,
    rows,
    none,
    describe,
  }: { format: OutputFormat; rows: readonly Row[]; none: string; describe(row: Row): string },
): void {
  if (format === "json") output.out(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) output.err(`${none}\n`);
  else for (const row of rows) output.out(describe(row));
}

/** Prints one object: as JSON for programs, as aligned lines for people. */
export function print(
  output: Output,
  format: OutputFormat,
  values: Readonly<Record<string, string | number | null>>,
): void {
  if (format === "json") {
    output.out(`${JSON.stringify(values)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  for (const [name, value] of Object.entries(values)) output.out(`${name.padEnd(width)}  ${value ?? "-"}\n`);
}

// Texts of others for a terminal, which control characters would command and bidirectional ones rearrange.

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

/** The text on one line, with such characters by their numbers: `\u001b`. */
export function toPrintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The longest excerpt of a text, in characters. */
const EXCERPT = 60;

/** Returns the beginning of a text, for a line on a terminal. */
export function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, 2 * EXCERPT).replaceAll(/\s+/g, " "));
  const isCut = characters.length > EXCERPT || text.length > 2 * EXCERPT;
  return toPrintable(characters.slice(0, EXCERPT).join("")) + (isCut ? "…" : "");
}
