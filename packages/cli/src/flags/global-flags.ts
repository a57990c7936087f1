/** The flags that every command has. */
import type { Command, Option } from "commander";
import type { Fault } from "../failures/errors.ts";
import { didYouMean, wordAmong } from "../failures/similar.ts";
import type { OperationRecord } from "../model/record.ts";
import { COLUMN_FORMATS, FORMATS, type Format } from "../output/format.ts";
import type { ShowOptions } from "../output/show.ts";
import { BASE_URL_EXPECTED, isBaseUrl } from "./base-url.ts";
import { flagOption, refuseSecondValue } from "./flag-option.ts";

export interface GlobalOptions extends ShowOptions {
  profile: string | undefined;
  baseUrl: string | undefined;
  /** JMESPath over the answer, not yet read. */
  query: string | undefined;
  idempotencyKey: string | undefined;
  timeoutMs: number;
  /** How often a request is sent again; undefined: as the SDK does. */
  retries: number | undefined;
  /** Path of a JSON document that is the body, `-` for standard input. */
  bodyFile: string | undefined;
  /** `path=value`, each a value of the body. */
  sets: readonly string[];
  /** What is printed instead of sending the request. */
  preview: "request" | "curl" | undefined;
  verbose: boolean;
  /** Whether questions may be asked. */
  input: boolean;
  /** Whether every confirmation is given in advance. */
  yes: boolean;
}

interface GlobalFlag {
  flags: string;
  description: string;
  repeatable?: true;
}

export const OUTPUT_FORMATS: readonly Format[] = FORMATS;
const DEFAULT_TIMEOUT_SECONDS = 60;

export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  { flags: "--profile <name>", description: "Profile to use; demo is the demo server started in this folder." },
  { flags: "--base-url <url>", description: "Address of the service, without /api/v1." },
  { flags: "-o, --output <format>", description: `${listFormats()}. (default table, or MSGCTL_OUTPUT)` },
  { flags: "--columns <names>", description: "Fields to show in a table or as csv, separated by commas." },
  { flags: "-q, --query <expression>", description: "JMESPath expression over the answer, such as [].status." },
  { flags: "--out <file>", description: "Write the data to a file, which only you can read." },
  { flags: "--body-file <path>", description: "JSON file of the body, - for standard input; flags and --set win." },
  {
    flags: "--set <path=value>",
    description: "A value of the body, such as labels.0=new; may be repeated.",
    repeatable: true,
  },
  { flags: "--dry-run", description: "Print the request; send nothing." },
  { flags: "--curl", description: "Print the request as a curl command; send nothing." },
  { flags: "--idempotency-key <key>", description: "Key that makes repeating a write safe. (default a new one)" },
  { flags: "--timeout <seconds>", description: `Longest wait for the answer. (default ${DEFAULT_TIMEOUT_SECONDS})` },
  { flags: "--retries <count>", description: "How often to send a request again. (default 2)" },
  { flags: "-v, --verbose", description: "Trace requests and replies on standard error." },
  { flags: "--quiet", description: "Print data and errors only." },
  { flags: "--no-color", description: "Print without colour; NO_COLOR does the same." },
  { flags: "--show-secrets", description: "Print secrets instead of masking them." },
  { flags: "--no-input", description: "Never ask; fail when a value is missing." },
  { flags: "-y, --yes", description: "Answer every confirmation with yes." },
];

function listFormats(): string {
  return `${FORMATS.slice(0, -1).join(", ")} or ${FORMATS.at(-1)}`;
}

/** Registers the flags: they stand before or after the command's words. */
export function addGlobalFlags(command: Command): void {
  for (const option of globalOptions()) command.addOption(option);
}

let options: readonly Option[] | undefined;

/** Made once: root, group and command have the same. */
function globalOptions(): readonly Option[] {
  options ??= GLOBAL_FLAGS.map((flag) => flagOption(flag.flags, flag));
  return options;
}

/** Whether a flag, by its name in camel case, is one that every command has. */
export function isGlobalFlag(name: string): boolean {
  globalNames ??= new Set(globalOptions().map((option) => option.attributeName()));
  return globalNames.has(name);
}

let globalNames: ReadonlySet<string> | undefined;

/**
 * What commander read for the flags, before and after the command's words alike; what may be repeated is given from the
 * outermost on.
 *
 * @throws {UsageError} For one that takes one value and was given two.
 */
export function collectGlobalFlags(command: Command): Record<string, unknown> {
  const chain: Command[] = [];
  for (let current: Command | null = command; current !== null; current = current.parent) chain.unshift(current);
  const flags: Record<string, unknown> = {};
  for (const link of chain) {
    for (const [name, value] of Object.entries(link.opts())) {
      // The default of a --no- flag must not undo one that was given further out.
      if (!isGlobalFlag(name) || link.getOptionValueSource(name) !== "cli") continue;
      const before = flags[name];
      if (typeof before === "string") throw refuseSecondValue(findLongName(name), [before, String(value)]);
      flags[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
  }
  return flags;
}

function findLongName(name: string): string {
  return globalOptions().find((option) => option.attributeName() === name)?.long ?? name;
}

export interface ReadGlobalOptions {
  options: GlobalOptions;
  faults: Fault[];
}

/** Checks the values of the flags against what the command can do with them. */
export function readGlobalOptions(
  flags: Record<string, unknown>,
  environment: { output: string | undefined },
  { output, idempotent }: Pick<OperationRecord, "output" | "idempotent">,
): ReadGlobalOptions {
  const faults: Fault[] = [];
  const text = (name: string) => (typeof flags[name] === "string" ? flags[name] : undefined);
  const format = readOutput(text("output"), environment.output, faults);
  const options = {
    profile: text("profile"),
    baseUrl: readBaseUrl(text("baseUrl"), faults),
    output: format,
    columns: readColumns(text("columns"), format, text("query") === undefined ? output.fields : undefined, faults),
    query: text("query"),
    idempotencyKey: readKey(text("idempotencyKey"), idempotent, faults),
    timeoutMs: readTimeout(text("timeout"), faults),
    retries: readRetries(text("retries"), faults),
    bodyFile: text("bodyFile"),
    sets: Array.isArray(flags.set) ? flags.set.map(String) : [],
    preview: readPreview(flags),
    verbose: flags.verbose === true,
    quiet: flags.quiet === true,
    showSecrets: flags.showSecrets === true,
    input: flags.input !== false,
    yes: flags.yes === true,
  };
  return { options, faults };
}

function readBaseUrl(text: string | undefined, faults: Fault[]): string | undefined {
  if (text !== undefined && !isBaseUrl(text))
    faults.push({ where: "--base-url", message: `expected ${BASE_URL_EXPECTED}` });
  return text;
}

function readOutput(flag: string | undefined, variable: string | undefined, faults: Fault[]): Format {
  const text = flag ?? variable ?? "table";
  const format = wordAmong(text, FORMATS);
  if (format !== undefined) return format;
  const message = `received ${JSON.stringify(text)}; expected ${listFormats()}${didYouMean(text, FORMATS)}`;
  faults.push({ where: flag === undefined ? "MSGCTL_OUTPUT" : "--output", message });
  return "table";
}

/** `fields` are those that there are to choose from; undefined: a query decides it. */
function readColumns(
  text: string | undefined,
  format: Format,
  fields: readonly string[] | undefined,
  faults: Fault[],
): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  const refuse = (message: string) => faults.push({ where: "--columns", message });
  if (!COLUMN_FORMATS.includes(format)) {
    refuse(`chooses the columns of a table or of csv; with -o ${format}, --query chooses fields`);
  }
  if (fields === undefined) return names;
  if (fields.length === 0) refuse("this command's answer has no fields to choose from");
  for (const name of fields.length === 0 ? [] : names.filter((candidate) => !fields.includes(candidate))) {
    refuse(`received ${JSON.stringify(name)}; expected names from ${fields.join(", ")}${didYouMean(name, fields)}`);
  }
  return names;
}

/**
 * The contract's rule for the header; the HTTP library would refuse other characters with a message of its own, and take
 * blanks off the ends: the service would know the call by another key.
 */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

function readKey(text: string | undefined, isTaken: boolean, faults: Fault[]): string | undefined {
  if (text === undefined) return undefined;
  const refuse = (message: string) => faults.push({ where: "--idempotency-key", message });
  if (!isTaken) refuse("this command changes nothing and takes no key");
  else if (!KEY.test(text)) refuse("expected 1 to 255 printable ASCII characters, without a blank at either end");
  return text;
}

/** Longer timers overflow in Node and would fire at once. */
const LONGEST_TIMEOUT_SECONDS = 86_400;

function readTimeout(text: string | undefined, faults: Fault[]): number {
  if (text === undefined) return DEFAULT_TIMEOUT_SECONDS * 1000;
  return readSecondsAsMs("--timeout", text, LONGEST_TIMEOUT_SECONDS, faults);
}

/** Milliseconds of a flag that takes seconds, with decimals or without; more than 0 and at most `longestSeconds`. */
export function readSecondsAsMs(where: string, text: string, longestSeconds: number, faults: Fault[]): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds <= 0 || seconds > longestSeconds) {
    const message = `received ${JSON.stringify(text)}; expected seconds, more than 0 and at most ${longestSeconds}`;
    faults.push({ where, message });
  }
  return seconds * 1000;
}

const MOST_RETRIES = 100;

function readRetries(text: string | undefined, faults: Fault[]): number | undefined {
  if (text === undefined) return undefined;
  const retries = /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (retries <= MOST_RETRIES) return retries;
  const message = `received ${JSON.stringify(text)}; expected an integer from 0 to ${MOST_RETRIES}`;
  faults.push({ where: "--retries", message });
  return undefined;
}

/** --curl is a --dry-run that says it otherwise. */
function readPreview(flags: Record<string, unknown>): GlobalOptions["preview"] {
  if (flags.curl === true) return "curl";
  return flags.dryRun === true ? "request" : undefined;
}
