import { formatInputName } from "../flags/input-name.ts";
import type { Input, OperationRecord, Output } from "../model/record.ts";
import { listWaitFlags } from "../operation/wait-flags.ts";
import { exampleLines } from "./examples.ts";
import { argumentRow, flagRow, formatFlagRow, globalFlagRows } from "./flags.ts";
import { type Page, section } from "./page.ts";

/** `msgctl send sms --help`: formats the whole record, and begins with the most needed parts. */
export function commandHelp(record: OperationRecord, page: Page): string {
  const { positional, required, optional } = sortedInputs(record);
  return [
    page.paragraphs(introduction(record)),
    section(page, "USAGE", page.verbatim([usage(record)])),
    record.aliases.length > 0 &&
      section(page, "ALIASES", page.verbatim(record.aliases.map((alias) => `msgctl ${record.group} ${alias}`))),
    list(page, "ARGUMENTS", positional.map(argumentRow)),
    list(page, "REQUIRED FLAGS", required.map(flagRow)),
    list(page, required.length > 0 ? "OPTIONAL FLAGS" : "FLAGS", [
      ...optional.map(flagRow),
      ...listWaitFlags(record).map(formatFlagRow),
    ]),
    list(page, "GLOBAL FLAGS", [...globalFlagRows(concerns(record)), ["-h, --help", "Show this help."]]),
    fieldsSection(record.output, page),
    section(page, "EXAMPLES", exampleLines(record.examples, page)),
  ]
    .filter((part) => part !== false && part !== "")
    .join("\n");
}

/** Groups the inputs as the help lists them. Their descriptions refer to other values by their flags. */
export function sortedInputs(record: OperationRecord): Record<"positional" | "required" | "optional", Input[]> {
  const inputs = record.inputs.map((input) => ({ ...input, description: inFlags(input.description, record) }));
  const flags = inputs.filter((input) => !input.positional);
  return {
    positional: inputs.filter((input) => input.positional),
    required: flags.filter(mustBeGiven),
    optional: flags.filter((input) => !mustBeGiven(input)),
  };
}

function mustBeGiven({ required, fill }: Input): boolean {
  return required === true && fill === undefined;
}

/** Description of the command, in paragraphs. */
export function introduction(record: OperationRecord): string {
  const { summary, description, cost, anyOf = [] } = record;
  const parts = [sentence(summary), inFlags(description, record)];
  if (cost === "billable") parts.push("Running this command costs money.");
  if (cost === "irreversible") parts.push("The effect of this command cannot be undone.");
  const sets = anyOf.map((set) => set.map((flag) => `--${flag}`).join(" with "));
  if (sets.length > 0) parts.push(`At least one of ${sets.join(" or ")} is required.`);
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

/** Replaces names of fields and headers in the contract's text by flags: `toNumber` becomes --to-number. */
function inFlags(text: string, { inputs }: OperationRecord): string {
  return text
    .replace(/`([A-Za-z]+)`/g, (quoted, field: string) => {
      const input = inputs.find(({ path }) => path.at(-1) === field);
      return input === undefined ? quoted : formatInputName(input);
    })
    .replaceAll("Idempotency-Key", "--idempotency-key");
}

/** Returns whether a global flag applies to this command. */
function concerns({ idempotent, inputs, output }: OperationRecord): (flags: string) => boolean {
  const hasBody = inputs.some((input) => input.in === "body");
  return (flags) => {
    if (/^--(?:body-file|set)\b/.test(flags)) return hasBody;
    if (flags.startsWith("--idempotency-key")) return idempotent;
    return !flags.startsWith("--columns") || output.fields.length > 0;
  };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Formats the usage line: `msgctl send sms <flags>`. */
export function usage({ group, name, inputs }: OperationRecord): string {
  const words = inputs
    .filter(({ positional }) => positional)
    .map((input) => (input.required ? `<${input.name}>` : `[${input.name}]`));
  const isFlagRequired = inputs.some((input) => mustBeGiven(input) && !input.positional);
  return ["msgctl", group, name, ...words, isFlagRequired ? "<flags>" : "[flags]"].join(" ");
}

/** Formats the list of fields; empty if the answer has none. */
export function fieldsSection({ fields }: Output, page: Page): string {
  return fields.length === 0 ? "" : section(page, "FIELDS", page.indented(`For --columns: ${fields.join(", ")}.`));
}

function list(page: Page, title: string, rows: readonly (readonly [string, string])[]): string {
  return rows.length === 0 ? "" : section(page, title, page.definitions(rows));
}
