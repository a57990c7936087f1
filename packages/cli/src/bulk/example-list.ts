/** Builds the list of `--example` from the contract's examples of the operation that each row calls. */
import type { Input, OperationRecord } from "../model/record.ts";
import { harmless, quoted } from "../output/csv/csv-field.ts";
import { fieldName } from "./list/mapping.ts";

/** Returns a header of the fields that the examples fill, and a row for each example. */
export function writeExampleList({ inputs, examples }: OperationRecord): string {
  const rows = examples.map(({ argv }) => new Map(inputs.map((input) => [input, valueIn(argv, input)])));
  const columns = inputs.filter((input) => input.in === "body" && rows.some((row) => row.get(input) !== undefined));
  const lines = [columns.map(fieldName), ...rows.map((row) => columns.map((input) => row.get(input) ?? ""))];
  return lines.map((cells) => `${cells.map((cell) => quoted(harmless(cell))).join(",")}\n`).join("");
}

function valueIn(argv: readonly string[], { name, type }: Input): string | undefined {
  if (type === "boolean" && argv.includes(`--no-${name}`)) return "false";
  const at = argv.indexOf(`--${name}`);
  if (at === -1) return undefined;
  return type === "boolean" ? "true" : argv[at + 1];
}
