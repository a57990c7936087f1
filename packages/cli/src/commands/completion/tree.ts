/** The data of all completion scripts: which words may follow which, and which values each flag takes. */
import { Option } from "commander";
import { GLOBAL_FLAGS, OUTPUT_FORMATS } from "../../flags/global-flags.ts";
import { formatInputName } from "../../flags/input-name.ts";
import { topicNames } from "../../help/topics.ts";
import { allGroups, type Catalog } from "../../model/catalog.ts";
import type { DefinedArgument } from "../../model/command.ts";
import type { AnyEntry, DefinedEntry, GroupEntry, Input } from "../../model/record.ts";
import { listWaitFlags } from "../../operation/wait-flags.ts";

/** A place on the command line. `path` is the words before it without flags, such as `send sms`; empty at the start. */
export interface Place {
  path: string;
  /** The same place by other names: `send call`. */
  aliases: readonly string[];
  /** Words that may come next. */
  words: readonly Word[];
  /** How to look up values of the first argument, unless `words` lists them. */
  first?: Looked;
  /** The place's own flags, without the global ones. */
  flags: readonly Flag[];
}

export interface Word {
  word: string;
  /** A single line. */
  description: string;
}

export interface Flag {
  /** `--output`, and `-o` if there is a short form. */
  names: readonly string[];
  description: string;
  takes: FlagValue;
}

/** A value that a shell looks up: a file, a profile of config.json, or an id that a list command showed (listed-ids.ts). */
export type Looked = "file" | "profile" | { ids: string };

/** The value that a flag takes: nothing for a switch, free text, one of a few words, or a value to look up. */
export type FlagValue = "nothing" | "text" | readonly string[] | Looked;

export interface Tree {
  places: readonly Place[];
  /** Flags that every command has. */
  globalFlags: readonly Flag[];
}

/** Reads every command of the catalog. */
export async function readTree(catalog: Catalog): Promise<Tree> {
  const places: Place[] = [];
  const groupWords = allGroups(catalog).map(({ name, description }) => word(name, description));
  const rootWords = catalog.rootCommands.map(({ name, summary }) => word(name, summary));
  const groups = await Promise.all(
    allGroups(catalog).map(async ({ name, commands }) => [
      { path: name, aliases: [], words: commands.map(entryWord), flags: [] },
      ...(await Promise.all(commands.map((entry) => leaf(name, entry, catalog)))),
    ]),
  );
  const roots = await Promise.all(catalog.rootCommands.map((entry) => leaf("", entry, catalog)));
  const help = word("help", "Show help for a command or a topic.");
  places.push({ path: "", aliases: [], words: [...groupWords, ...rootWords, help], flags: [VERSION] });
  places.push(...groups.flat(), ...roots);
  const topics = topicNames.map((name) => word(name, "A help topic."));
  places.push({ path: "help", aliases: [], words: [...groupWords, ...rootWords, ...topics], flags: [] });
  const commandsAfter = (path: string, groups: readonly GroupEntry<AnyEntry>[]) =>
    groups.map(({ name, commands }) => {
      return { path: `${path} ${name}`, aliases: [], words: commands.map(entryWord), flags: [] };
    });
  places.push(...commandsAfter("help", allGroups(catalog)));
  for (const { name, words } of catalog.rootCommands) {
    if (!(await catalog.definition(words)).takesCommand) continue;
    const place = places.find(({ path }) => path === name);
    const groups = await describedGroups(catalog);
    const contractWords = groups.map(({ name, description }) => word(name, description));
    if (place !== undefined) places.splice(places.indexOf(place), 1, { ...place, words: contractWords });
    places.push(...commandsAfter(name, groups).map((after) => ({ ...after, flags: place?.flags ?? [] })));
  }
  return { places, globalFlags: [...GLOBAL_FLAGS.map(optionFlag), HELP] };
}

/** The commands that `msgctl schema` accepts: those of the contract, and those that make a request per row of a list. */
async function describedGroups(catalog: Catalog): Promise<GroupEntry<AnyEntry>[]> {
  const ofRows = async ({ words }: DefinedEntry) => (await catalog.definition(words)).requests === "rows";
  return Promise.all(
    catalog.index.groups.map(async (group) => {
      const defined = catalog.definedGroups.find(({ name }) => name === group.name)?.commands ?? [];
      const isOfRows = await Promise.all(defined.map(ofRows));
      return { ...group, commands: [...group.commands, ...defined.filter((_, index) => isOfRows[index])] };
    }),
  );
}

const HELP: Flag = { names: ["-h", "--help"], description: "Show help.", takes: "nothing" };
const VERSION: Flag = { names: ["-V", "--version"], description: "Print the version.", takes: "nothing" };

function word(text: string, description: string): Word {
  return { word: safe(text), description: firstSentence(description) };
}

function entryWord({ name, summary }: AnyEntry): Word {
  return word(name, summary);
}

async function leaf(group: string, entry: AnyEntry, catalog: Catalog): Promise<Place> {
  const inGroup = (name: string) => `${group} ${name}`.trimStart();
  const path = inGroup(entry.name);
  const aliases = entry.aliases.map(inGroup);
  if (!("words" in entry)) {
    const record = await catalog.record(entry.operationId);
    const { inputs } = record;
    const first = inputs.find(({ positional }) => positional);
    const inputsAsFlags = inputs.filter(({ positional }) => !positional).flatMap(inputFlags);
    const flags = [...inputsAsFlags, ...listWaitFlags(record).map(optionFlag)];
    return { path, aliases, words: choiceWords(first?.enum), ...findFirst(first), flags };
  }
  const { arguments: named, flags } = await catalog.definition(entry.words);
  const [argument] = named;
  const words = typeof argument?.takes === "object" ? argument.takes : argument?.choices;
  return { path, aliases, words: choiceWords(words), ...findFirst(argument), flags: flags.map(optionFlag) };
}

function choiceWords(choices: readonly string[] = []): Word[] {
  return choices.map((choice) => word(choice, ""));
}

function findFirst(first: Pick<DefinedArgument, "complete" | "takes"> | undefined): { first?: Looked } {
  if (typeof first?.takes === "string") return { first: first.takes };
  return first?.complete === undefined ? {} : { first: { ids: safe(first.complete) } };
}

function inputFlags(input: Input): Flag[] {
  const { name, type, repeatable, secret, enum: values } = input;
  const description = firstSentence(input.description);
  const flag = (spelling: string, takes: FlagValue): Flag => ({ names: [safe(spelling)], description, takes });
  if (secret) return [flag(formatInputName(input), "file")];
  if (type === "boolean" && !repeatable) return [flag(`--${name}`, "nothing"), flag(`--no-${name}`, "nothing")];
  if (type === "boolean") return [flag(formatInputName(input), ["true", "false"])];
  return [flag(formatInputName(input), values?.map(safe) ?? findFlagIds(input.complete) ?? "text")];
}

function optionFlag({
  flags,
  description,
  choices,
  complete,
}: {
  flags: string;
  description: string;
  choices?: readonly string[];
  complete?: string;
}): Flag {
  const option = new Option(flags);
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const known = option.long === "--output" ? OUTPUT_FORMATS : choices;
  return {
    names: names.map(safe),
    description: firstSentence(description),
    takes: findFlagIds(complete) ?? findFlagValue(option, known),
  };
}

function findFlagIds(complete: string | undefined): FlagValue | undefined {
  return complete === undefined ? undefined : { ids: safe(complete) };
}

function findFlagValue({ flags, required, optional }: Option, choices: readonly string[] | undefined): FlagValue {
  if (!required && !optional) return "nothing";
  if (flags === "--profile <name>") return "profile";
  return choices?.map(safe) ?? (/[<[](?:path|file|folder)/.test(flags) ? "file" : "text");
}

/** Places at which an argument is completed. */
export function placesWithWords({ places }: Tree): Place[] {
  return places.filter(({ words, first }) => words.length > 0 || first !== undefined);
}

/** Returns the word if no shell would interpret it: the scripts do not quote words. @throws {Error} Otherwise. */
function safe(text: string): string {
  if (/^[A-Za-z0-9_.:/-]+$/.test(text)) return text;
  throw new Error(`${JSON.stringify(text)} cannot be used in a completion script without quotes.`);
}

function firstSentence(text: string): string {
  return (text.trim().split(/(?<=[.!?])\s/, 1)[0] ?? "").replace(/\s+/g, " ");
}
