import type { Input, OperationRecord } from "../record.ts";
import { exampleLines } from "./examples.ts";
import { argumentRow, flagRow, globalFlagRows } from "./flags.ts";
import { type Page, section } from "./page.ts";

/** `msgctl send sms --help`: everything the record knows, in the order in which it is needed. */
export function commandHelp(record: OperationRecord, page: Page): string {
  const positional = record.inputs.filter((input) => input.positional);
  const flags = record.inputs.filter((input) => !input.positional);
  const required = flags.filter((input) => input.required);
  const optional = flags.filter((input) => !input.required);
  return [
    page.paragraphs(introduction(record)),
    section(page, "USAGE", page.verbatim([usage(record, positional, flags)])),
    list(page, "ARGUMENTS", positional.map(argumentRow)),
    list(page, "REQUIRED FLAGS", required.map(flagRow)),
    list(page, required.length > 0 ? "OPTIONAL FLAGS" : "FLAGS", optional.map(flagRow)),
    list(page, "GLOBAL FLAGS", [...globalFlagRows(), ["-h, --help", "Show this help."]]),
    record.output.fields.length > 0 && section(page, "FIELDS", page.paragraphs(fieldsLine(record))),
    section(page, "EXAMPLES", exampleLines(record.examples, page)),
  ]
    .filter((part) => part !== false && part !== "")
    .join("\n");
}

function introduction({ summary, description, cost, anyOf = [], aliases, group, name }: OperationRecord): string {
  const parts = [
    sentence(summary),
    description.startsWith(summary) ? description.slice(summary.length + 1) : description,
  ];
  if (cost === "billable") parts.push("Running this command costs money.");
  if (cost === "irreversible") parts.push("What this command does cannot be undone.");
  const sets = anyOf.map((set) => set.map((flag) => `--${flag}`).join(" with "));
  if (sets.length > 0) parts.push(`At least one of ${sets.join(" or ")} is required.`);
  if (aliases.length > 0)
    parts.push(`Also: ${aliases.map((alias) => `msgctl ${group} ${alias}`).join(", ")} for ${name}.`);
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function usage({ group, name }: OperationRecord, positional: readonly Input[], flags: readonly Input[]): string {
  const words = positional.map((input) => (input.required ? `<${input.name}>` : `[${input.name}]`));
  return ["msgctl", group, name, ...words, flags.some((input) => input.required) ? "<flags>" : "[flags]"].join(" ");
}

function list(page: Page, title: string, rows: readonly (readonly [string, string])[]): string {
  return rows.length === 0 ? "" : section(page, title, page.definitions(rows));
}

function fieldsLine({ output }: OperationRecord): string {
  return `For --columns: ${output.fields.join(", ")}.`;
}
