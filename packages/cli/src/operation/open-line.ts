/** For commands that are not a single operation: checks the global flags, and prints the answer. */
import { withProfileDefaults } from "../call/access/setting-keys.ts";
import { ConfigurationError, type Fault, InputError } from "../failures/errors.ts";
import { type GlobalOptions, readGlobalOptions } from "../flags/global-options.ts";
import type { CommandContext } from "../model/catalog.ts";
import type { CommandLine, Requests } from "../model/command.ts";
import type { Output } from "../model/record.ts";
import { type Query, readQuery } from "../output/query/query.ts";
import { show } from "../output/show.ts";
import { readSettings, type Settings } from "../process/config.ts";
import type { Io } from "../process/io.ts";

/** Global flags that a command refuses, and why. Ignoring --dry-run, for example, would run the command. */
type Refused = readonly (readonly [name: string, where: string, message: string])[];

const BODY_FLAGS: Refused = [
  ["bodyFile", "--body-file", "this command sends no body"],
  ["set", "--set", "this command sends no body"],
];
const SHOWS_NOTHING = "shows the request of a command, but this command sends none; nothing was done";
const NOT_A_REQUEST: Refused = [
  ["dryRun", "--dry-run", SHOWS_NOTHING],
  ["curl", "--curl", SHOWS_NOTHING],
  ...BODY_FLAGS,
];
/** The refused flags by kind of requests. Commands of the kinds `any` and `rows` have their own checks. */
const REFUSED: Readonly<Record<Requests, Refused>> = {
  none: NOT_A_REQUEST,
  some: NOT_A_REQUEST,
  any: [],
  rows: [],
  one: BODY_FLAGS,
  several: [
    ["curl", "--curl", "shows one request, but this command can make several; use --dry-run to see what it would do"],
    ["bodyFile", "--body-file", "is for one request; this command reads everything from its file"],
    ["set", "--set", "is for one request; this command reads everything from its file"],
    ["idempotencyKey", "--idempotency-key", "is for one request; this command makes a key for each change"],
  ],
};

export interface LineOptions {
  /** Shape of the output, if the definition does not state it. */
  output?: Output;
  /** Set if the command prints a stream of answers. The format json then prints a line for each, as jsonl does. */
  isStream?: true;
}

export interface OpenLine {
  settings: Settings;
  options: GlobalOptions;
  /** The compiled --query. */
  query: Query | undefined;
  /** Throws if a value of the command line is wrong or missing, or if `wrong` or `missing` has entries. */
  refuse(wrong: readonly Fault[], missing?: readonly Fault[]): void;
  /** Prints the data as the answer of an operation. Remarks go to standard error. */
  print(data: unknown, remarks?: readonly string[]): Promise<void>;
}

/** Reads the flags of a line whose command prints an answer as an operation does. */
export async function openLine(
  { command, globalFlags }: CommandLine,
  io: Io,
  { isColoured }: CommandContext,
  { output = command.output ?? ANY_OUTPUT, isStream }: LineOptions = {},
): Promise<OpenLine> {
  const { requests = "none" } = command;
  const settings = readSettings(io.env);
  const flags = defaultsIfUsable(globalFlags, settings);
  const { options, faults } = readGlobalOptions(flags, settings, { output, idempotent: requests === "several" });
  if (isStream && options.output === "json") options.output = "jsonl";
  for (const [name, where, message] of REFUSED[requests]) {
    if (flags[name] !== undefined) faults.push({ where, message });
  }
  const query = await readQuery(options.query, faults);
  const isLines = isStream && options.output === "jsonl";
  return {
    settings,
    options,
    query,
    refuse(wrong, missing = []) {
      if (faults.length + wrong.length + missing.length === 0) return;
      throw new InputError([...faults, ...wrong], missing, [`Run \`msgctl ${command.words} --help\`.`]);
    },
    async print(data, remarks = []) {
      await show({ data, output, options, query: isLines ? inOneLine(query) : query, isColoured, remarks }, io);
    },
  };
}

/** An answer of unknown shape. */
const ANY_OUTPUT: Output = { kind: "object", columns: [], fields: [], secrets: [] };

/** Wraps a query for a stream: a list that it returns is one answer, and must stay on one line. */
function inOneLine(query: Query | undefined): Query | undefined {
  return query && ((data) => [query(data)]);
}

/** Ignores invalid settings of the profile, which must not block the command that corrects them. */
function defaultsIfUsable(flags: Record<string, unknown>, settings: Settings): Record<string, unknown> {
  try {
    return withProfileDefaults(flags, settings);
  } catch (error) {
    if (error instanceof ConfigurationError) return flags;
    throw error;
  }
}
