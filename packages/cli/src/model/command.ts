/** The shape of a command that is more than one operation, or none: what its help and its flags need, as data. */
import type { Example, Output } from "./record.ts";

/** What a command says of itself. */
export interface Definition {
  /** None, where it is left out. */
  aliases?: readonly string[];
  /** One line. */
  summary: string;
  /** Operation whose reply it follows until it is over: where a wait ended early, this command goes on with it. */
  follows?: string;
  /** In whole sentences. */
  description: string;
  /** Positional arguments, all required: a missing one is asked for or reported like any other missing value. */
  arguments: readonly DefinedArgument[];
  flags: readonly DefinedFlag[];
  /** Operation whose query values are flags of the command as well. */
  filtersOf?: string;
  /** Its arguments are the words of another command, and completed as such. */
  takesCommand?: true;
  /** What it prints, where that is one answer and known. */
  output?: Output;
  examples: readonly Example[];
}

/** The same with the command's words: `config path`. */
export interface CommandDefinition extends Definition {
  words: string;
}

export interface DefinedArgument {
  name: string;
  description: string;
  /** The values there are; any other is refused. */
  choices?: readonly string[];
  /** It takes an id that a list has shown under this name, and is completed with those. */
  complete?: string;
}

export interface DefinedFlag {
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
export interface CommandLine {
  /** What the line is of. */
  command: CommandDefinition;
  /** By name. */
  arguments: ReadonlyMap<string, string>;
  /** What commander read for the command's own flags, by their name in camel case. */
  flags: Readonly<Record<string, unknown>>;
  /** The same for the flags of every command. */
  globalFlags: Readonly<Record<string, unknown>>;
}
