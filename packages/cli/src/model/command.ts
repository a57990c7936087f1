/** The definition of a command that is not exactly one operation: the data for its help and its flags. */
import type { Example, Output } from "./record.ts";

/**
 * The requests that a command makes. `some`: requests without a preview. `any`: one request, which the line describes. `one`: a
 * read. `several`: writes, whose effect --dry-run shows. `rows`: one request for each row of a list.
 */
export type Requests = "none" | "some" | "any" | "one" | "several" | "rows";

/** A defined command, without its words. */
export interface Definition {
  /** Other words for the command; none if omitted. */
  aliases?: readonly string[];
  /** One line. */
  summary: string;
  /** The operation that this command polls until the work is over. Errors of an aborted wait point to this command. */
  follows?: string;
  /** Description in whole sentences. */
  description: string;
  /** Positional arguments. If a required one is missing, msgctl asks for it, or reports it like any missing value. */
  arguments: readonly DefinedArgument[];
  flags: readonly DefinedFlag[];
  /** The operation whose query parameters are also flags of this command. */
  filtersOf?: string;
  /** Set if the arguments are the words of another command; they are completed as such. */
  takesCommand?: true;
  /** The requests that the command makes. They determine its global flags. (default none) */
  requests?: Requests;
  /** Further global flags that the command refuses: `--retries`. */
  refuses?: readonly string[];
  /** The operations whose body fields --set and the columns of a list can fill. */
  fieldsOf?: readonly string[];
  /** The shape of the output, if the command prints a single answer of known shape. */
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
  /** The name of the id that the argument takes. Completion offers ids that list commands showed under this name. */
  complete?: string;
  /** Other completions: files, profiles or words. Words that are not listed may be valid. */
  takes?: "file" | "profile" | readonly string[];
}

export interface DefinedFlag {
  /** The flag in commander's syntax: `--port <number>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  /** See `DefinedArgument.complete`. */
  complete?: string;
  /** Set if the flag may be given several times; its value is then an array of texts. */
  repeatable?: true;
  /** Set if the command takes no argument when this flag is given. */
  replacesArguments?: true;
}

/** A parsed command line. */
export interface CommandLine {
  /** The command that the line runs. */
  command: CommandDefinition;
  /** Arguments by name. */
  arguments: ReadonlyMap<string, string>;
  /** Values of the command's own flags as commander read them, by camel-case name. */
  flags: Readonly<Record<string, unknown>>;
  /** Values of the global flags as commander read them. */
  globalFlags: Readonly<Record<string, unknown>>;
}
