/** Collects facts about a command for the reference, both for operations of the contract and for defined commands. */

import { describePattern, findFormat } from "../flags/formats.ts";
import { type Block, toBlocks } from "../help/blocks.ts";
import { introduction, sortedInputs, usage } from "../help/command-help.ts";
import { formatArgumentRow, formatUsage } from "../help/definition-help.ts";
import { commandLines } from "../help/examples.ts";
import { argumentRow, bounds, FILLED, flagRow, formatFlagRow, type Row } from "../help/flags.ts";
import { allGroups, type Catalog } from "../model/catalog.ts";
import type { CommandDefinition, DefinedFlag } from "../model/command.ts";
import type { AnyEntry, Example, Input, OperationRecord, Output } from "../model/record.ts";
import { listWaitFlags } from "../operation/wait-flags.ts";

export interface GroupFacts {
  /** First word of its commands. */
  name: string;
  description: string;
  commands: readonly CommandFacts[];
}

export interface CommandFacts {
  /** `send sms`. */
  words: string;
  /** Other words for the same command. */
  aliases: readonly string[];
  /** One line without a full stop. */
  summary: string;
  /** Description in paragraphs and lists. */
  description: readonly Block[];
  usage: string;
  arguments: readonly ValueFacts[];
  required: readonly ValueFacts[];
  optional: readonly ValueFacts[];
  /** Method and path of the request; undefined for a command that is not exactly one request. */
  request?: { method: string; path: string; idempotent: boolean };
  output?: Output;
  /** How --wait finds out that the started work is over. */
  wait?: { command: string; field: string; until: readonly string[] };
  examples: readonly ExampleFacts[];
}

/** An argument or a flag. */
export interface ValueFacts {
  /** `--to phone`. */
  term: string;
  /** The whole text about the value, as in the command's help. */
  text: string;
  /** The text in two parts: the meaning, and the allowed values. */
  meaning: string;
  values: string;
}

export interface ExampleFacts {
  title: string;
  /** The command line for a shell, broken into lines if it is long. */
  lines: readonly string[];
}

/** Returns every group with its commands, then each command without a group as a group of one command. */
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
  if ("words" in entry) return { ...head, ...describeDefinition(await catalog.definition(entry.words)) };
  return { ...head, ...(await describeRecord(await catalog.record(entry.operationId), catalog)) };
}

type Facts = Omit<CommandFacts, "words" | "aliases" | "summary">;

/** Formats examples that can be pasted. */
export function readExamples(examples: readonly Example[]): ExampleFacts[] {
  return examples.map(({ title, argv }) => ({ title, lines: commandLines(argv) }));
}

function describeDefinition(command: CommandDefinition): Facts {
  const { description, output, examples } = command;
  return {
    description: toBlocks(description),
    usage: formatUsage(command),
    arguments: command.arguments.map((argument) =>
      toValue(formatArgumentRow(argument), argument.description, chosenFrom(argument.choices)),
    ),
    required: [],
    optional: command.flags.map(describeFlag),
    ...(output !== undefined && { output }),
    examples: readExamples(examples),
  };
}

function describeFlag(flag: DefinedFlag): ValueFacts {
  const { description, choices, repeatable } = flag;
  const values = [chosenFrom(choices), repeatable && REPEATED].filter(Boolean).join(" ");
  return toValue(formatFlagRow(flag), description, values);
}

function toValue([term, text]: Row, meaning: string, values: string): ValueFacts {
  return { term: term.trim(), text, meaning, values };
}

async function describeRecord(record: OperationRecord, catalog: Catalog): Promise<Facts> {
  const { positional, required, optional } = sortedInputs(record);
  const { method, path, idempotent, output, wait, examples } = record;
  const describe = (row: Row, input: Input) => toValue(row, input.description.trim(), describeValues(input));
  const describeFlagOf = (input: Input) => describe(flagRow(input), input);
  return {
    description: toBlocks(introduction(record)),
    usage: usage(record),
    arguments: positional.map((input) => describe(argumentRow(input), input)),
    required: required.map(describeFlagOf),
    optional: [...optional.map(describeFlagOf), ...listWaitFlags(record).map(describeFlag)],
    request: { method, path, idempotent },
    output,
    ...(wait && {
      wait: { command: await wordsOf(wait.operation, catalog), field: wait.field, until: wait.until },
    }),
    examples: readExamples(examples),
  };
}

async function wordsOf(operationId: string, catalog: Catalog): Promise<string> {
  const { group, name } = await catalog.record(operationId);
  return `${group} ${name}`;
}

const REPEATED = "May be repeated.";

/** Describes the allowed values of an input in sentences. */
function describeValues(input: Input): string {
  const { default: fallback, repeatable, pattern, fill } = input;
  const sentences = [
    kindOf(input),
    ...bounds(input, () => false),
    ...(input.enum === undefined && pattern !== undefined ? [describePattern(pattern).sentence] : []),
    ...(repeatable ? [REPEATED] : []),
    ...(fallback === undefined ? [] : [`Default \`${fallback}\`.`]),
    ...(fill === undefined ? [] : [FILLED]),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

const KINDS: Readonly<Record<Input["type"], string>> = {
  string: "Text.",
  integer: "A whole number.",
  number: "A number.",
  boolean: "Sets true; with `no-`, sets false.",
  "integer-or-string": "A whole number or text.",
  json: "JSON.",
};

function kindOf({ secret, enum: values, type, format, repeatable }: Input): string {
  if (secret) return "The path of a file that holds the value, or - for standard input.";
  if (values !== undefined) return chosenFrom(values);
  if (type === "boolean" && repeatable) return chosenFrom(["true", "false"]);
  const known = type === "string" ? findFormat(format)?.meaning : undefined;
  return known === undefined ? KINDS[type] : `${known.charAt(0).toUpperCase()}${known.slice(1)}.`;
}

function chosenFrom(values: readonly string[] | undefined): string {
  return values === undefined ? "" : `One of ${values.map((value) => `\`${value}\``).join(", ")}.`;
}
