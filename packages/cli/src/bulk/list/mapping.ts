/** Maps the columns of a file to the fields of an operation, and reads the fields that --set gives to all rows. */
import { type Fault, InputError } from "../../failures/errors.ts";
import { didYouMean, wordAmong } from "../../failures/similar.ts";
import { parseValue } from "../../flags/value.ts";
import type { Input } from "../../model/record.ts";
import { quoted } from "../../operation/request/request.ts";
import { shellWord } from "../../process/shell-word.ts";
import type { RowKind } from "./row-kind.ts";

export interface Mapping {
  /** The columns' names, without trailing columns that have no name. */
  names: readonly string[];
  /** The input that each column fills; undefined for an ignored column. */
  columns: readonly (Input | undefined)[];
  /** Values of the fields that are the same in all rows, as text. */
  constants: ReadonlyMap<Input, string>;
  /** Values of --set with placeholders for cells of the row. */
  templates: ReadonlyMap<Input, Template>;
}

/** The parts of a text with placeholders, in order: literal text, or the position of a column. */
export type Template = readonly (string | number)[];

/** Flags as given on the line, each `name=value`. */
export interface MappingFlags {
  map: readonly string[];
  set: readonly string[];
}

/** Columns that a file of failed rows has in addition to the source's. They fill no field, so the file runs unchanged. */
export const FAILURE_COLUMNS: readonly string[] = ["error code", "error message"];

export function isFailureColumn(name: string): boolean {
  return FAILURE_COLUMNS.some((own) => foldName(own) === foldName(name));
}

/** Whether the row is the header of a file of failed rows. */
export function hasFailureColumns(header: readonly string[]): boolean {
  return FAILURE_COLUMNS.every((own) => header.some((name) => foldName(name) === foldName(own)));
}

/**
 * Finds the input of every column: by `--map`, else by its name, which matches the field or flag in any spelling
 * (`merchantId`, `merchant-id`, `Merchant ID`).
 */
export function readMapping(
  header: readonly string[],
  inputs: readonly Input[],
  flags: MappingFlags,
): { mapping: Mapping; unknown: string[]; faults: Fault[] } {
  const faults: Fault[] = [];
  /** Columns that fill no field. */
  const unknown: string[] = [];
  const overrides = readOverrides(header, inputs, flags.map, faults);
  const { constants, templates } = readConstants(header, inputs, flags.set, faults);
  const inTemplates = new Set([...templates.values()].flat());
  const columns = header.map((name, column) => {
    const key = foldName(name);
    if (overrides.has(key)) return overrides.get(key);
    // readRow refuses a filled cell in a column without a name
    if (key === "" || isFailureColumn(name)) return undefined;
    const input = inputFor(name, inputs);
    if (input !== undefined || inTemplates.has(column)) return input;
    if (!unknown.some((other) => foldName(other) === key)) {
      unknown.push(name);
      faults.push({ where: columnOf(name), message: `fills no field${didYouMean(name, inputs.map(fieldName))}` });
    }
    return undefined;
  });
  const filled = [...columns.filter((input) => input !== undefined), ...constants.keys(), ...templates.keys()];
  for (const input of new Set(filled.filter((one, index) => filled.indexOf(one) !== index))) {
    faults.push({
      where: fieldName(input),
      message: "is filled more than once; ignore all columns but one with --map column=, or remove its --set",
    });
  }
  return { mapping: { names: header, columns, constants, templates }, unknown, faults };
}

/** Maps a file's header. @throws {InputError} Naming every fault, and every required field that nothing fills. */
export function requireMapping(
  header: readonly string[],
  { record, check }: Pick<RowKind, "record" | "check">,
  flags: MappingFlags,
): Mapping {
  const { mapping, unknown, faults } = readMapping(withoutEmptyEnd(header), record.inputs, flags);
  const filled = new Set([...mapping.columns, ...mapping.constants.keys(), ...mapping.templates.keys()]);
  const fields = [...filled].flatMap((input) => (input === undefined ? [] : [fieldName(input)]));
  faults.push(...(check?.(fields) ?? []));
  const missing = record.inputs.filter((input) => input.required && !filled.has(input));
  if (faults.length + missing.length > 0) {
    throw new InputError(
      faults,
      missing.map((input) => ({ where: fieldName(input), message: "no column fills it" })),
      describeCure(record.inputs, { unknown, missing }),
    );
  }
  return mapping;
}

/** Describes one remedy for all columns, so that it is not repeated for each. */
function describeCure(
  inputs: readonly Input[],
  { unknown, missing }: { unknown: readonly string[]; missing: readonly Input[] },
): string[] {
  const [first] = unknown;
  const maps = unknown.map((name) => `--map ${shellWord(`${name}=FIELD`)}`).join(" ");
  const sets = missing.map((input) => `--set ${fieldName(input)}=…`).join(" ");
  return [
    ...(first !== undefined
      ? [`Name the field of each column: ${maps}. To leave one out: --map ${shellWord(`${first}=`)}.`]
      : []),
    ...(missing.length > 0 ? [`Give a value to all rows: ${sets}.`] : []),
    `Fields: ${inputs.map(fieldName).join(", ")}.`,
  ];
}

/** The field's name as the contract and the SDK spell it. */
export function fieldName(input: Input): string {
  return input.path.join(".");
}

function readOverrides(
  header: readonly string[],
  inputs: readonly Input[],
  map: readonly string[],
  faults: Fault[],
): Map<string, Input | undefined> {
  const overrides = new Map<string, Input | undefined>();
  for (const text of map) {
    // split at the last =, since a column's name may contain one and a field's name cannot
    const { name: column, value: field } = split(text, text.lastIndexOf("="));
    const input = field === undefined ? undefined : inputFor(field, inputs);
    const refuse = (message: string) => faults.push({ where: "--map", message });
    if (field === undefined)
      refuse(`received ${JSON.stringify(text)}; expected column=field, or column= to leave it out`);
    else if (!header.some((name) => foldName(name) === foldName(column)))
      refuse(`there is no column ${JSON.stringify(column)}${among(column, header)}`);
    else if (field !== "" && input === undefined)
      refuse(`there is no field ${JSON.stringify(field)}${among(field, inputs.map(fieldName))}`);
    else if (overrides.has(foldName(column)))
      refuse(`${JSON.stringify(text)} names column ${JSON.stringify(column)} a second time; give it once`);
    overrides.set(foldName(column), input);
  }
  return overrides;
}

interface Constants {
  constants: Map<Input, string>;
  templates: Map<Input, Template>;
}

function readConstants(
  header: readonly string[],
  inputs: readonly Input[],
  set: readonly string[],
  faults: Fault[],
): Constants {
  const constants = new Map<Input, string>();
  const templates = new Map<Input, Template>();
  for (const text of set) {
    const { name, value } = split(text);
    const input = inputFor(name, inputs);
    const refuse = (message: string, where = "--set") => faults.push({ where, message });
    if (value === undefined) refuse(`received ${JSON.stringify(text)}; expected field=value`);
    else if (input === undefined)
      refuse(`there is no field ${JSON.stringify(name)}${among(name, inputs.map(fieldName))}`);
    else if (constants.has(input) || templates.has(input))
      refuse(`${JSON.stringify(text)} gives ${fieldName(input)} a second value; give it once`);
    else if (value.includes("{{")) templates.set(input, readTemplate(value, header, refuse));
    else {
      const parsed = parseValue(input, value);
      if (!parsed.ok)
        refuse(`received ${quoted(input, value)}; expected ${parsed.expected}`, `--set ${fieldName(input)}`);
      // use the contract's spelling: another one would change the ids of the rows
      constants.set(input, wordAmong(value, input.enum ?? []) ?? value);
    }
  }
  return { constants, templates };
}

/** Matches a placeholder for a cell in a text of --set: `{{First name}}`. */
export const PLACEHOLDER = /\{\{([^{}]*)\}\}/;

/** Matches braces that name no column: unclosed ones, or three and more. */
const STRAY_BRACES = /\{{3,}[^{}]*\}*|\{\{(?![^{}]*\}\})\S*/;

function readTemplate(text: string, header: readonly string[], refuse: (message: string) => void): Template {
  const [stray] = STRAY_BRACES.exec(text) ?? [];
  if (stray !== undefined)
    refuse(`${JSON.stringify(stray)} names no column; write {{column}}, with one of ${header.join(", ")}`);
  // split() includes captured groups in its result: every second part is a column's name
  return text.split(new RegExp(PLACEHOLDER, "g")).map((part, index) => {
    if (index % 2 === 0) return part;
    const key = foldName(part);
    const named = header.flatMap((name, column) => (foldName(name) === key ? [column] : []));
    if (key === "") refuse(`{{${part}}} names no column; expected one of ${header.join(", ")}`);
    else if (named.length > 1)
      refuse(`${named.length} columns are called ${JSON.stringify(part.trim())}; rename all but one for {{${part}}}`);
    else if (named.length === 0)
      refuse(`there is no column ${JSON.stringify(part.trim())} for {{${part}}}${among(part, header)}`);
    return named[0] ?? -1;
  });
}

/** Drops trailing columns without a name, as spreadsheets leave them. */
function withoutEmptyEnd(header: readonly string[]): readonly string[] {
  return header.slice(0, header.findLastIndex((name) => name.trim() !== "") + 1);
}

const columnOf = (name: string) => `column ${JSON.stringify(name)}`;

function among(name: string, names: readonly string[]): string {
  return `; expected one of ${names.join(", ")}${didYouMean(name, names)}`;
}

function inputFor(name: string, inputs: readonly Input[]): Input | undefined {
  const key = foldName(name);
  return inputs.find((input) => foldName(input.name) === key || foldName(fieldName(input)) === key);
}

/** Maps all spellings of a name to one: `merchantId`, `--merchant-id`, `merchant_id`, `Merchant ID`, and either encoding of é. */
function foldName(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[\s_-]/g, "")
    .toLowerCase();
}

function split(text: string, at = text.indexOf("=")): { name: string; value: string | undefined } {
  return at < 1 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) };
}
