/** Renders the service's answer as text for standard output. Writes nothing itself. */
import type { Output } from "../model/record.ts";
import { indentedJson, jsonLines } from "./json/json.ts";
import { raw } from "./json/raw.ts";
import { printableLines } from "./printable.ts";
import type { RenderOptions } from "./render-options.ts";
import { MASK, maskFields, maskXml } from "./secrets.ts";

export interface Rendered {
  stdout: string;
  /** Remarks for people, each on a line. */
  remarks: string[];
}

/** Renders an operation's answer in the chosen format, with secrets masked. @throws {CliError} If the query fails. */
export async function render(data: unknown, output: Output, options: RenderOptions): Promise<Rendered> {
  const { value: masked, hidden } = options.showSecrets ? { value: data, hidden: 0 } : mask(data, output);
  const { query } = options;
  // A query can return any shape, so the record no longer describes the answer.
  const value = query === undefined ? masked : query(masked);
  const known = query === undefined ? output : { ...UNKNOWN, kind: output.kind };
  const { stdout, remarks } = await set(value, known, options, query !== undefined);
  const isMaskSeen = hidden > 0 && (query === undefined || stdout.includes(MASK));
  return { stdout, remarks: [...remarks, ...(isMaskSeen ? [aboutMasks(hidden)] : [])] };
}

const UNKNOWN = { columns: [], fields: [], secrets: [] };

function mask(data: unknown, output: Output) {
  return typeof data === "string" ? maskXml(data) : maskFields(data, output.secrets);
}

function aboutMasks(hidden: number): string {
  return hidden === 1
    ? "1 secret is masked; --show-secrets shows it."
    : `${hidden} secrets are masked; --show-secrets shows them.`;
}

async function set(value: unknown, output: Output, options: RenderOptions, isQueried: boolean): Promise<Rendered> {
  const { format, isTerminal } = options;
  const isBodyless = output.kind === "none" && !isQueried;
  if (isBodyless && format === "table") return { stdout: "", remarks: ["Done."] };
  const text = isBodyless && (format === "csv" || format === "raw") ? "" : await formatValue(value, output, options);
  if (format === "table")
    return text === "" ? { stdout: "", remarks: ["Nothing found."] } : { stdout: text, remarks: [] };
  // A string from a query gets a line end; a whole text body stays unchanged.
  const end = format === "raw" && isQueried && typeof value === "string" ? "\n" : "";
  return { stdout: (isTerminal === true ? printableLines(text) : text) + end, remarks: [] };
}

/** Returns the renderer of a format. Loads yaml, csv and table only if chosen: most commands need none of them. */
async function formatValue(value: unknown, output: Output, options: RenderOptions): Promise<string> {
  switch (options.format) {
    case "json":
      return `${indentedJson(value)}\n`;
    case "jsonl":
      return jsonLines(value);
    case "raw":
      return raw(value);
    case "yaml":
      return (await import("./yaml/yaml.ts")).yamlDocument(value);
    case "csv":
      return (await import("./csv/csv.ts")).csvAnswer(value, output, options);
    case "table":
      return (await import("./table/table-answer.ts")).tableAnswer(value, output, options);
  }
}
