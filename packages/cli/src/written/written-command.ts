/** The shape of a command that is written by hand: what its help and its flags need, as data, and apart from it what it does. */
import type { Catalog } from "../catalog.ts";
import type { Io } from "../io.ts";
import type { Example, Output, WrittenEntry } from "../record.ts";

export interface WrittenCommand {
  /** The command's words: `config path`. */
  words: string;
  /** In whole sentences. */
  description: string;
  /** Positional arguments, each required: a missing one is asked for, or told, as any missing value is. */
  arguments: readonly WrittenArgument[];
  flags: readonly WrittenFlag[];
  /** Operation whose query values are flags of the command as well. */
  filtersOf?: string;
  /** Its arguments are the words of another command, and completed as such. */
  takesCommand?: true;
  /** What it prints, where that is one answer and known. */
  output?: Output;
  examples: readonly Example[];
}

/** What the command does. @throws {CliError} Whose exit code says how it ended. */
export type WrittenRun = (line: WrittenLine, io: Io, context: WrittenContext) => Promise<void>;

export interface WrittenArgument {
  name: string;
  description: string;
  /** The values there are; any other is refused. */
  choices?: readonly string[];
  /** It takes an id that a list has shown under this name, and is completed with those. */
  complete?: string;
}

export interface WrittenFlag {
  /** As commander takes it: `--port <number>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  /** As for an argument. */
  complete?: string;
  /** It may be given several times; its value is then an array of texts. */
  repeatable?: true;
}

/** A command line once it was read. */
export interface WrittenLine {
  /** What the line is of. */
  command: WrittenCommand;
  /** By name. */
  arguments: ReadonlyMap<string, string>;
  /** What commander read for the command's own flags, by their name in camel case. */
  flags: Readonly<Record<string, unknown>>;
  /** The same for the flags of every command. */
  globalFlags: Readonly<Record<string, unknown>>;
}

export interface WrittenContext {
  catalog: Catalog;
  /** Whether standard output is coloured. */
  isColoured: boolean;
}

/** The index of written commands: those of the contract's groups, and groups of their own. */
export interface WrittenGroup {
  name: string;
  /** One line; left out where the contract has the group. */
  description?: string;
  commands: readonly WrittenEntry[];
}
