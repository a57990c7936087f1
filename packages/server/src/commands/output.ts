/** Where a command writes: data and the ready line to `out`, all else to `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

export type OutputFormat = "text" | "json";

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
