/** Parses the values of the global flags. */
import { IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_KEY_PATTERN } from "@msgctl/contract/constants";
import type { Fault } from "../failures/errors.ts";
import { didYouMean, wordAmong } from "../failures/similar.ts";
import type { OperationRecord } from "../model/record.ts";
import { COLUMN_FORMATS, FORMATS, type Format } from "../output/format.ts";
import type { ShowOptions } from "../output/show.ts";
import { BASE_URL_EXPECTED, toBaseUrl } from "./base-url.ts";
import { DEFAULT_TIMEOUT_SECONDS, listFormats } from "./global-flags.ts";

export interface GlobalOptions extends ShowOptions {
  profile: string | undefined;
  baseUrl: string | undefined;
  /** The unparsed JMESPath expression for the answer. */
  query: string | undefined;
  idempotencyKey: string | undefined;
  timeoutMs: number;
  /** Number of retries of a request; undefined: the SDK's default. */
  retries: number | undefined;
  /** Path of a JSON document for the body, `-` for standard input. */
  bodyFile: string | undefined;
  /** The --set flags, each `path=value` for a value of the body. */
  sets: readonly string[];
  /** Preview to print instead of sending the request. */
  preview: "request" | "curl" | undefined;
  verbose: boolean;
  /** Whether the user may be prompted. */
  input: boolean;
  /** Whether every confirmation is answered with yes. */
  yes: boolean;
}

export interface ReadGlobalOptions {
  options: GlobalOptions;
  faults: Fault[];
}

/** Parses the flags, with faults for values that are invalid or that do not fit the command. */
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
  const baseUrl = text === undefined ? undefined : toBaseUrl(text);
  if (text !== baseUrl && baseUrl === undefined)
    faults.push({ where: "--base-url", message: `expected ${BASE_URL_EXPECTED}` });
  return baseUrl;
}

function readOutput(flag: string | undefined, variable: string | undefined, faults: Fault[]): Format {
  const text = flag ?? variable ?? "table";
  const format = wordAmong(text, FORMATS);
  if (format !== undefined) return format;
  const message = `received ${JSON.stringify(text)}; expected ${listFormats()}${didYouMean(text, FORMATS)}`;
  faults.push({ where: flag === undefined ? "MSGCTL_OUTPUT" : "--output", message });
  return "table";
}

/** `fields`: the fields that --columns may name; undefined with --query, which determines the fields. */
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
    refuse(`selects columns of table and csv; with -o ${format}, use --query to select fields`);
  }
  if (fields === undefined) return names;
  if (fields.length === 0) refuse("the response of this command has no fields to choose from");
  for (const name of fields.length === 0 ? [] : names.filter((candidate) => !fields.includes(candidate))) {
    refuse(`received ${JSON.stringify(name)}; expected names from ${fields.join(", ")}${didYouMean(name, fields)}`);
  }
  return names;
}

/** Refuses spaces at the ends, which HTTP strips from a header: the service would then see a different key. */
const BLANK_AT_AN_END = /^ | $/;

function readKey(text: string | undefined, isTaken: boolean, faults: Fault[]): string | undefined {
  if (text === undefined) return undefined;
  const refuse = (message: string) => faults.push({ where: "--idempotency-key", message });
  if (!isTaken) refuse("this command changes nothing and takes no key");
  else if (!IDEMPOTENCY_KEY_PATTERN.test(text) || BLANK_AT_AN_END.test(text)) {
    refuse(`expected 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} printable ASCII characters, without spaces at the ends`);
  }
  return text;
}

/** Below the longest timer of Node.js: a longer one would overflow and fire immediately. */
const LONGEST_TIMEOUT_SECONDS = 86_400;

function readTimeout(text: string | undefined, faults: Fault[]): number {
  if (text === undefined) return DEFAULT_TIMEOUT_SECONDS * 1000;
  return readSecondsAsMs("--timeout", text, LONGEST_TIMEOUT_SECONDS, faults);
}

/** Converts a flag in seconds, more than 0 and at most `longestSeconds`, to milliseconds. Decimals are allowed. */
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

/** Returns the preview to print. --curl takes precedence: it is another form of --dry-run. */
function readPreview(flags: Record<string, unknown>): GlobalOptions["preview"] {
  if (flags.curl === true) return "curl";
  return flags.dryRun === true ? "request" : undefined;
}
