/** What the commands of credentials and settings do with the flags of every command, and with what it found. */
import { withProfileDefaults } from "../access/setting-keys.ts";
import { readSettings, type Settings } from "../config.ts";
import { ConfigurationError, type Fault, InputError } from "../errors.ts";
import { type GlobalOptions, readGlobalOptions } from "../global-flags.ts";
import type { Io } from "../io.ts";
import type { Query } from "../output/query.ts";
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

export interface OpenLine {
  settings: Settings;
  options: GlobalOptions;
  /** What --query asks for. */
  query: Query | undefined;
  /** Throws what is wrong with the line and what is missing from it, if anything. */
  refuse(wrong: readonly Fault[], missing?: readonly Fault[]): void;
  /** Prints as the answer of an operation is printed; remarks are for people. */
  print(data: unknown, remarks?: readonly string[]): Promise<void>;
}

/**
 * Reads the flags of a line of the command called `words`, whose answer is as `output` says. One that is a request has
 * something to show for --dry-run and --curl.
 */
export async function openLine(
  { words, output, isRequest = false }: { words: string; output: Output; isRequest?: boolean },
  { globalFlags }: WrittenLine,
  io: Io,
  { isColoured }: WrittenContext,
): Promise<OpenLine> {
  const settings = readSettings(io.env);
  const flags = defaultsIfUsable(globalFlags, settings);
  const { options, faults } = readGlobalOptions(flags, settings, { output, idempotent: false });
  for (const [name, where, message] of REQUEST_FLAGS) {
    if (flags[name] !== undefined && !(isRequest && message === SHOWS_NOTHING)) faults.push({ where, message });
  }
  const query = await readQuery(options.query, faults);
  return {
    settings,
    options,
    query,
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
