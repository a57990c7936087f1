import type { CommanderError } from "commander";
import { UsageError } from "../failures/errors.ts";
import { allGroups, type Catalog } from "../model/catalog.ts";
import { shellWord } from "../process/shell-word.ts";
import { findCommands, formatAdvice } from "./other-words.ts";

/**
 * Converts commander's error about a command line to msgctl's style: on one line, without commander's prefix, and with the
 * suggestion as part of the sentence.
 */
export async function asUsageError(
  { message, code }: CommanderError,
  argv: readonly string[],
  catalog: Catalog,
): Promise<UsageError> {
  const known = knownWords(argv, catalog);
  const [, flag] = /^error: unknown option '(--[^']*)'/.exec(message) ?? [];
  const advice = flag === undefined ? undefined : await adviseFlag(flag, known, argv, catalog);
  if (advice !== undefined) return new UsageError(`unknown option '${flag}'`, [advice]);
  const [said, word = ""] = /^error: (unknown command '(.*?)')/s.exec(message)?.slice(1) ?? [];
  const meant = code === "commander.unknownCommand" ? findCommands(word, known[0], catalog) : [];
  if (said !== undefined && meant.length > 0) return new UsageError(said, [formatAdvice(meant)]);
  const text = message
    .replace(/^error: /, "")
    .replace(/\s*\n\(Did you mean (one of )?(.*?)\?\)$/, (_, several: string | undefined, names: string) => {
      return `; did you mean ${several ?? ""}${names}?`;
    });
  return new UsageError(text, [`Run \`${["msgctl", ...known, "--help"].join(" ")}\`.`]);
}

/** Advises on an unknown flag that is named like an argument, or like a field that a list's columns fill. */
async function adviseFlag(
  flag: string,
  words: readonly string[],
  argv: readonly string[],
  catalog: Catalog,
): Promise<string | undefined> {
  const [first, second] = words;
  const group = allGroups(catalog).find(({ name }) => name === first);
  const entry = (group?.commands ?? catalog.rootCommands).find(({ name }) => name === (group ? second : first));
  if (entry === undefined) return undefined;
  const [typed = "", inFlag] = flag.split("=", 2);
  const name = typed.replace(/^--/, "");
  const isDefined = "words" in entry;
  const definition = isDefined ? await catalog.definition(entry.words) : undefined;
  const inputs = isDefined ? [] : (await catalog.record(entry.operationId)).inputs;
  const isArgument = [...inputs.filter(({ positional }) => positional), ...(definition?.arguments ?? [])].some(
    (argument) => argument.name === name,
  );
  if (isArgument) return `Give <${name}> without a flag: \`msgctl ${words.join(" ")} <${name}>\`.`;
  const value = inFlag ?? argv[argv.indexOf(flag) + 1];
  for (const operationId of definition?.fieldsOf ?? []) {
    const record = await catalog.record(operationId);
    const field = record.inputs.find((input) => input.in === "body" && input.name === name);
    const given = value === undefined || value.startsWith("-") ? "<value>" : shellWord(value);
    if (field !== undefined)
      return `Give it to all rows with \`--set ${field.path.join(".")}=${given}\`, or to each in a column of the list.`;
  }
  return undefined;
}

/** Returns the longest correct start of the command's words, so that the error can point to its help. */
export function knownWords(argv: readonly string[], catalog: Catalog): string[] {
  const root = catalog.rootCommands.find(({ name }) => argv.includes(name));
  const group = allGroups(catalog).find(({ name }) => argv.includes(name));
  if (root !== undefined && (group === undefined || argv.indexOf(root.name) < argv.indexOf(group.name)))
    return [root.name];
  if (group === undefined) return [];
  const after = argv.slice(argv.indexOf(group.name) + 1);
  const command = group.commands.find(({ name, aliases }) => [name, ...aliases].includes(after[0] ?? ""));
  return command === undefined ? [group.name] : [group.name, command.name];
}
