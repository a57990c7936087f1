/** The shape of a command that is several operations, or none: the data that its help and its flags need. */
import type { Example, Output } from "./record.ts";

/**
 * `some`: of its own kind, which nothing previews. `any`: one that the line describes. `one`: a read. `several`: writes, of
 * which --dry-run shows what they would do. `rows`: one for each row of a list.
 */
export type Requests = "none" | "some" | "any" | "one" | "several" | "rows";

/** A command's description of itself. */
export interface Definition {
  /** Other words for the command; none if omitted. */
  aliases?: readonly string[];
  /** One line. */
  summary: string;
  /** Operation whose reply it follows until the work is over: this command resumes a wait that ended early. */
  follows?: string;
  /** Description in whole sentences. */
  description: string;
  /** Positional arguments. A missing one is asked for or reported like any other missing value, unless it is optional. */
  arguments: readonly DefinedArgument[];
  flags: readonly DefinedFlag[];
  /** Operation whose query values are flags of the command as well. */
  filtersOf?: string;
  /** Whether its arguments are the words of a command that is an operation, and completed as such. */
  takesCommand?: true;
  /** The requests that it makes, which decide the global flags it takes. (default none) */
  requests?: Requests;
  /** Global flags that it refuses besides: `--retries`. */
  refuses?: readonly string[];
  /** Operations whose body fields --set and the columns of a list fill. */
  fieldsOf?: readonly string[];
  /** Shape of its output, if that is a single answer of known shape. */
  output?: Output;
  examples: readonly Example[];
}

/** A definition with the command's words: `config path`. */
export interface CommandDefinition extends Definition {
  words: string;
}

export interface DefinedArgument {
  name: string;
  description: string;
  optional?: true;
  /** The allowed values; any other is refused. */
  choices?: readonly string[];
  /** It takes an id, completed with those that lists have shown under this name. */
  complete?: string;
  /** Other completions: files, profiles, or words, of which the command itself may refuse others. */
  takes?: "file" | "profile" | readonly string[];
}

export interface DefinedFlag {
  /** The flag as commander takes it: `--port <number>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  /** Completion, as for an argument. */
  complete?: string;
  /** Whether it may be given several times; its value is then an array of texts. */
  repeatable?: true;
  /** Whether the command takes no argument with it. */
  replacesArguments?: true;
}

/** A parsed command line. */
export interface CommandLine {
  /** The command that the line runs. */
  command: CommandDefinition;
  /** Arguments by name. */
  arguments: ReadonlyMap<string, string>;
  /** Values that commander read for the command's own flags, by their name in camel case. */
  flags: Readonly<Record<string, unknown>>;
  /** Values that commander read for the flags of every command. */
  globalFlags: Readonly<Record<string, unknown>>;
}
