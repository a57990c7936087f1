/** What a reference says of a command, whether it is an operation of the contract or defined by itself. */

import { formatOf, wordsOfPattern } from "../flags/formats.ts";
import { introduction, sortedInputs, usage } from "../help/command-help.ts";
import { writtenArgumentRow, writtenUsage } from "../help/definition-help.ts";
import { argumentRow, bounds, FILLED, flagRow, type Row, writtenFlagRow } from "../help/flags.ts";
import { allGroups, type Catalog } from "../model/catalog.ts";
import type { CommandDefinition, DefinedFlag } from "../model/command.ts";
import type { AnyEntry, Example, Input, OperationRecord, Output } from "../model/record.ts";
import { waitFlagsOf } from "../operation/wait-flags.ts";

export interface ReferenceFacts {
  groups: readonly GroupFacts[];
  /** Commands without a group. */
  roots: readonly GroupFacts[];
  /** A first walk through the tool. */
  examples: readonly Example[];
  /** `msgctl 0.1.0 (contract 0.1.0)`. */
  version: string;
}

export interface GroupFacts {
  /** First word of its commands. */
  name: string;
  description: string;
  commands: readonly CommandFacts[];
}

export interface CommandFacts {
  /** `send sms`. */
  words: string;
  /** The same command by other words. */
  aliases: readonly string[];
  /** One line without a full stop. */
  summary: string;
  /** In paragraphs. */
  description: string;
  usage: string;
  arguments: readonly ValueFacts[];
  required: readonly ValueFacts[];
  optional: readonly ValueFacts[];
  /** Where its request goes; undefined for a command that is not one request. */
  request?: { method: string; path: string; idempotent: boolean };
  output?: Output;
  /** How to see the end of what it began. */
  wait?: { command: string; field: string; until: readonly string[] };
  examples: readonly Example[];
}

export interface ValueFacts {
  /** Its row in the help of the command, which says all there is to say. */
  row: Row;
  /** The same in two: what it means, and what it may be. */
  meaning: string;
  values: string;
}

/** Every group with its commands, then each command without a group as a group of its own. */
export async function readGroups(catalog: Catalog): Promise<{ groups: GroupFacts[]; roots: GroupFacts[] }> {
  const read = (group: string, entries: readonly AnyEntry[]) =>
    Promise.all(entries.map((entry) => readCommand(group, entry, catalog)));
  const groups = allGroups(catalog).map(async ({ name, description, commands }) => {
    return { name, description, commands: await read(name, commands) };
  });
  const roots = catalog.rootCommands.map(async (entry) => {
    return { name: entry.name, description: `${entry.summary}.`, commands: await read("", [entry]) };
  });
  return { groups: await Promise.all(groups), roots: await Promise.all(roots) };
}

async function readCommand(group: string, entry: AnyEntry, catalog: Catalog): Promise<CommandFacts> {
  const inGroup = (name: string) => `${group} ${name}`.trimStart();
  const head = { words: inGroup(entry.name), aliases: entry.aliases.map(inGroup), summary: entry.summary };
  if ("words" in entry) return { ...head, ...factsOfDefined(await catalog.definition(entry.words)) };
  return { ...head, ...(await factsOfRecord(await catalog.record(entry.operationId), catalog)) };
}

type Facts = Omit<CommandFacts, "words" | "aliases" | "summary">;

function factsOfDefined(command: CommandDefinition): Facts {
  const { description, output, examples } = command;
  return {
    description,
    usage: writtenUsage(command),
    arguments: command.arguments.map((argument) => ({
      row: writtenArgumentRow(argument),
      ...{ meaning: argument.description, values: chosenFrom(argument.choices) },
    })),
    required: [],
    optional: command.flags.map(factsOfFlag),
    ...(output !== undefined && { output }),
    examples,
  };
}

function factsOfFlag(flag: DefinedFlag): ValueFacts {
  const { description, choices, repeatable } = flag;
  const values = [chosenFrom(choices), repeatable && REPEATED].filter(Boolean).join(" ");
  return { row: writtenFlagRow(flag), meaning: description, values };
}

async function factsOfRecord(record: OperationRecord, catalog: Catalog): Promise<Facts> {
  const { positional, required, optional } = sortedInputs(record);
  const { method, path, idempotent, output, wait, examples } = record;
  const flag = (input: Input): ValueFacts => ({ row: flagRow(input), ...partsOf(input) });
  return {
    description: introduction(record),
    usage: usage(record),
    arguments: positional.map((input) => ({ row: argumentRow(input), ...partsOf(input) })),
    required: required.map(flag),
    optional: [...optional.map(flag), ...waitFlagsOf(record).map(factsOfFlag)],
    request: { method, path, idempotent },
    output,
    ...(wait && { wait: { ...wait, command: await wordsOf(wait.operation, catalog) } }),
    examples,
  };
}

async function wordsOf(operationId: string, catalog: Catalog): Promise<string> {
  const { group, name } = await catalog.record(operationId);
  return `${group} ${name}`;
}

const REPEATED = "May be repeated.";

function partsOf(input: Input): Pick<ValueFacts, "meaning" | "values"> {
  const { description, default: fallback, repeatable, pattern, fill } = input;
  const values = [
    kindOf(input),
    ...bounds(input, () => false),
    ...(input.enum === undefined && pattern !== undefined ? [wordsOfPattern(pattern).sentence] : []),
    ...(repeatable ? [REPEATED] : []),
    ...(fallback === undefined ? [] : [`Default \`${fallback}\`.`]),
    ...(fill === undefined ? [] : [FILLED]),
  ];
  return { meaning: description.trim(), values: values.filter((part) => part !== "").join(" ") };
}

const KINDS: Readonly<Record<Input["type"], string>> = {
  string: "Text.",
  integer: "A whole number.",
  number: "A number.",
  boolean: "Yes, or no with `no-`.",
  "integer-or-string": "A whole number or text.",
  json: "JSON.",
};

function kindOf({ secret, enum: values, type, format, repeatable }: Input): string {
  if (secret) return "The path of a file that holds it, or - for standard input.";
  if (values !== undefined) return chosenFrom(values);
  if (type === "boolean" && repeatable) return chosenFrom(["true", "false"]);
  const known = type === "string" ? formatOf(format)?.meaning : undefined;
  return known === undefined ? KINDS[type] : `${known.charAt(0).toUpperCase()}${known.slice(1)}.`;
}

function chosenFrom(values: readonly string[] | undefined): string {
  return values === undefined ? "" : `One of ${values.map((value) => `\`${value}\``).join(", ")}.`;
}
