/**
 * The shape of the generated data that one runtime (operation-command.ts) turns into commands. Types only: a record is
 * plain data, so that loading it costs only a parse, and so that tests can make up their own.
 */
import type { Identity } from "@msgctl/sdk";

/** The data of `msgctl --help` and a group's help, and no more: every start loads it. */
export interface CommandIndex {
  /** Version of the contract the commands were generated from. */
  contractVersion: string;
  groups: readonly GroupEntry[];
  /** A first tour of the tool, shown in the root's help. */
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
  /** Key of the whole record. */
  operationId: string;
}

/** A command that is several operations, or none: on the same runtime, see command.ts. */
export interface DefinedEntry {
  name: string;
  aliases: readonly string[];
  /** One line. */
  summary: string;
  /** All its words, the key of its definition: `config path`. */
  words: string;
  /** Operation whose reply it follows until the work is over: this command resumes a wait that ended early. */
  follows?: string;
}

/** Defined commands of one group, which is the contract's or their own. */
export interface DefinedGroup {
  name: string;
  /** One line; left out when the contract has the group. */
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
  /** Positional arguments first, in their order; then flags in the contract's order. */
  inputs: readonly Input[];
  /** The whole body, if the record was made for a single request: no input then goes into it. */
  body?: Readonly<Record<string, unknown>>;
  /** At least one of these sets of inputs (by name) must be given in full. */
  anyOf?: readonly (readonly string[])[];
  output: Output;
  /** Members that a success must hold; absent if the request is not of the contract. */
  identity?: Identity;
  /** Fields of the rows it lists whose values complete inputs of other commands, see `Input.complete`. */
  listed?: readonly string[];
  cost?: "billable" | "irreversible";
  wait?: WaitRecipe;
  examples: readonly Example[];
}

export type ValueType = "string" | "integer" | "number" | "boolean" | "integer-or-string" | "json";

/** One value (or, when repeatable, list of values) that a command takes and where it goes in the request. */
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
  /** The service's assumption if the value is omitted; never sent. */
  default?: string | number | boolean;
  /** A valid value, shown where one is refused. */
  example?: string;
  /** The format, by the value of the input of that name. */
  formatBy?: { input: string; formats: Readonly<Record<string, string>> };
  /** It takes a value that lists have shown under this name. */
  complete?: string;
  /** When left out, the value is read from the service: `field` of the reply of `operation`, which needs no input. */
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

/** Recipe by which `--wait` knows that the work a command started is over. */
export interface WaitRecipe {
  /** Operation to poll. */
  operation: string;
  /** Field of the answer that identifies the work to that operation. */
  from: string;
  /** Field of the polled answer that is watched. */
  field: string;
  /** Its values that end the wait. */
  until: readonly string[];
  /** Values of `until` that mean that some of the work failed. */
  failed: readonly string[];
}

export interface Example {
  title: string;
  /** Everything after `msgctl`, unquoted. */
  argv: readonly string[];
}
