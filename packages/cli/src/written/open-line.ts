/** What the commands of credentials and settings do with the flags of every command, and with what it found. */
import { withProfileDefaults } from "../access/setting-keys.ts";
import { readSettings, type Settings } from "../config.ts";
import { ConfigurationError, type Fault, InputError } from "../errors.ts";
import { type GlobalOptions, readGlobalOptions } from "../global-flags.ts";
import type { Io } from "../io.ts";
import { readQuery } from "../output/query-flag.ts";
import type { Output } from "../record.ts";
import type { WrittenContext, WrittenLine } from "./written-command.ts";

const SHOWS_NOTHING = "shows the request of a command, and this one is not a request; nothing was done";
/** Whoever asks to see first must not have it done instead. */
const REQUEST_FLAGS = [
  ["dryRun", "--dry-run", SHOWS_NOTHING],
  ["curl", "--curl", SHOWS_NOTHING],
  ["bodyFile", "--body-file", "this command sends no body"],
  ["set", "--set", "this command sends no body"],
] as const;

/** The same for a command that makes several requests and shows with --dry-run what it would do. */
const SINGLE_REQUEST_FLAGS = [
  ["curl", "--curl", "shows one request, and this command can make several; --dry-run shows what it would do"],
  ["bodyFile", "--body-file", "is for one request; this command takes all from its file"],
  ["set", "--set", "is for one request; this command takes all from its file"],
  ["idempotencyKey", "--idempotency-key", "is for one request; this command makes a key for each, by what it changes"],
] as const;

export interface OpenedCommand {
  words: string;
  output: Output;
  /** It makes several requests, each with a key of its own, and shows with --dry-run what it would do. */
  isPlanned?: boolean;
}

export interface OpenLine {
  settings: Settings;
  options: GlobalOptions;
  /** Throws what is wrong with the line and what is missing from it, if anything. */
  refuse(wrong: readonly Fault[], missing?: readonly Fault[]): void;
  /** Prints as the answer of an operation is printed; remarks are for people. */
  print(data: unknown, remarks?: readonly string[]): Promise<void>;
}

/** Reads the flags of a line of the command called `words`, whose answer is as `output` says. */
export async function openLine(
  { words, output, isPlanned = false }: OpenedCommand,
  { globalFlags }: WrittenLine,
  io: Io,
  { isColoured }: WrittenContext,
): Promise<OpenLine> {
  const settings = readSettings(io.env);
  const flags = defaultsIfUsable(globalFlags, settings);
  const { options, faults } = readGlobalOptions(flags, settings, { output, idempotent: isPlanned });
  const refused = isPlanned ? SINGLE_REQUEST_FLAGS : REQUEST_FLAGS;
  for (const [name, where, message] of refused) if (flags[name] !== undefined) faults.push({ where, message });
  const query = await readQuery(options.query, faults);
  return {
    settings,
    options,
    refuse(wrong, missing = []) {
      if (faults.length + wrong.length + missing.length === 0) return;
      throw new InputError([...faults, ...wrong], missing, [`Run \`msgctl ${words} --help\`.`]);
    },
    async print(data, remarks = []) {
      const { show } = await import("../output/show.ts");
      await show({ data, output, options, query, isColoured, remarks }, io);
    },
  };
}

/** A setting that is no good must not keep the very command from running that corrects it. */
function defaultsIfUsable(flags: Record<string, unknown>, settings: Settings): Record<string, unknown> {
  try {
    return withProfileDefaults(flags, settings);
  } catch (error) {
    if (error instanceof ConfigurationError) return flags;
    throw error;
  }
}
