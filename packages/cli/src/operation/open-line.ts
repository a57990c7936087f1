/** Handles the global flags, and prints the answer, for commands that are not a single operation. */
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

/** Global flags that a command rejects, and why: a request for a preview must never run the command instead. */
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
/** A command whose line is any request, or the rows of a list, has checks of its own. */
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
  /** The command prints a stream of answers: json then prints one line each, as jsonl does. */
  isStream?: true;
}

export interface OpenLine {
  settings: Settings;
  options: GlobalOptions;
  /** The query of --query. */
  query: Query | undefined;
  /** Throws if anything in the line is wrong or missing. */
  refuse(wrong: readonly Fault[], missing?: readonly Fault[]): void;
  /** Prints the data like an operation's answer; remarks are for people. */
  print(data: unknown, remarks?: readonly string[]): Promise<void>;
}

/** Reads the flags of a line whose command prints an answer like an operation's. */
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

/** In a stream, a list that a query returns is one answer and stays on one line. */
function inOneLine(query: Query | undefined): Query | undefined {
  return query && ((data) => [query(data)]);
}

/** An invalid setting must not block the command that fixes it. */
function defaultsIfUsable(flags: Record<string, unknown>, settings: Settings): Record<string, unknown> {
  try {
    return withProfileDefaults(flags, settings);
  } catch (error) {
    if (error instanceof ConfigurationError) return flags;
    throw error;
  }
}
