/**
 * The shape of the generated data from which define-operation.ts and run-operation.ts make commands. Records are plain data,
 * so that they load fast and tests can write their own.
 */
import type { Identity } from "@msgctl/sdk";

/** The data of `msgctl --help` and of a group's help. It is kept small, because every start loads it. */
export interface CommandIndex {
  /** Version of the contract the commands were generated from. */
  contractVersion: string;
  groups: readonly GroupEntry[];
  /** The first commands to try, shown by `msgctl --help`. */
  examples: readonly Example[];
}

export interface GroupEntry<Entry = CommandEntry> {
  name: string;
  /** One line. */
  description: string;
  commands: readonly Entry[];
}

export interface CommandEntry {
  name: string;
  aliases: readonly string[];
  /** One line. */
  summary: string;
  /** The key of the command's full record. */
  operationId: string;
}

/** A command that is not exactly one operation, see command.ts. */
export interface DefinedEntry {
  name: string;
  aliases: readonly string[];
  /** One line. */
  summary: string;
  /** All words of the command, which are the key of its definition: `config path`. */
  words: string;
  /** See `Definition.follows`. */
  follows?: string;
}

/** The defined commands of a group, which may also have commands of the contract. */
export interface DefinedGroup {
  name: string;
  /** One line; omitted if the contract has the group. */
  description?: string;
  commands: readonly DefinedEntry[];
}

/** Any command of a group. */
export type AnyEntry = CommandEntry | DefinedEntry;

export interface OperationRecord extends CommandEntry {
  group: string;
  description: string;
  method: string;
  /** Path with `{placeholders}` for the inputs whose `in` is `path`. */
  path: string;
  /** Whether the operation takes an Idempotency-Key. */
  idempotent: boolean;
  /** Positional arguments in their order, then flags in the contract's order. */
  inputs: readonly Input[];
  /** The whole body, if the record was created for a single request. Inputs are not added to it. */
  body?: Readonly<Record<string, unknown>>;
  /** At least one of these sets of inputs (by name) must be given in full. */
  anyOf?: readonly (readonly string[])[];
  output: Output;
  /** Members that a successful answer must have; absent if the contract does not have the request. */
  identity?: Identity;
  /** Fields of the listed rows that provide completions for inputs of other commands, see `Input.complete`. */
  listed?: readonly string[];
  cost?: "billable" | "irreversible";
  wait?: WaitRecipe;
  examples: readonly Example[];
}

export type ValueType = "string" | "integer" | "number" | "boolean" | "integer-or-string" | "json";

/** A value (or, if repeatable, a list of values) that a command takes, and its place in the request. */
export interface Input {
  /** The field's name in kebab-case: the flag without its dashes, or the positional argument's name. */
  name: string;
  in: "path" | "query" | "header" | "body";
  /** The path to the value in the body; a single name in path, query and header. */
  path: readonly string[];
  type: ValueType;
  description: string;
  required?: true;
  positional?: true;
  repeatable?: true;
  /** A credential: read from a file or from standard input, never from the command line. */
  secret?: true;
  format?: string;
  enum?: readonly string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  /** Bounds on the number of values of a repeatable input. */
  minItems?: number;
  maxItems?: number;
  /** The service's default if the value is omitted. msgctl never sends it. */
  default?: string | number | boolean;
  /** A valid value, shown in the error for an invalid one. */
  example?: string;
  /** The format for each value of another input, if it depends on that value. */
  formatBy?: { input: string; formats: Readonly<Record<string, string>> };
  /** The name of the id that the input takes. Completion and prompts offer ids of this name. */
  complete?: string;
  /** If the value is omitted, msgctl reads it from `field` in the reply of `operation`, which needs no input. */
  fill?: { operation: string; field: string };
}

export interface Output {
  kind: "object" | "list" | "text" | "none";
  /** Fields of the view that a table shows; a dot descends into an object. */
  columns: readonly string[];
  /** Every field that `--columns` may name. */
  fields: readonly string[];
  /** Fields that hold credentials, in every element of arrays on the path. */
  secrets: readonly string[];
}

/** How `--wait` finds out whether the work that a command started is over. */
export interface WaitRecipe {
  /** Operation to poll. */
  operation: string;
  /** Field of the command's answer with the id of the work, which is passed to `operation`. */
  from: string;
  /** Field of the polled answer that has the state. */
  field: string;
  /** States that end the wait. */
  until: readonly string[];
  /** States of `until` in which some of the work failed. */
  failed: readonly string[];
}

export interface Example {
  title: string;
  /** Everything after `msgctl`, unquoted. */
  argv: readonly string[];
}
