/**
 * The tree of commands. At the start it has only the groups. The commands of a group are added when the line names the
 * group, and the flags of a command when the line names the command, so a start never builds more than it needs.
 */
import { Command } from "commander";
import { defineCommand } from "./define-command.ts";
import { UsageError } from "./failures/errors.ts";
import { didYouMean } from "./failures/similar.ts";
import { addGlobalFlags } from "./flags/global-flags.ts";
import { commandHelp } from "./help/command-help.ts";
import { definitionHelp } from "./help/definition-help.ts";
import { groupHelp } from "./help/group-help.ts";
import { findCommands, formatAdvice } from "./help/other-words.ts";
import type { Page } from "./help/page.ts";
import { rootHelp } from "./help/root-help.ts";
import { topicHelp, topicNames } from "./help/topics.ts";
import { allGroups, type Catalog, type CommandContext } from "./model/catalog.ts";
import type { AnyEntry, GroupEntry } from "./model/record.ts";
import { defineOperation } from "./operation/define-operation.ts";
import type { Io } from "./process/io.ts";

export interface ProgramContext {
  catalog: Catalog;
  io: Io;
  page: Page;
  version: string;
  /** Called with the help to show if the line ends before a subcommand. */
  showLacking(help: string): void;
}

/** Creates the commander program of msgctl. It writes to `io` and throws instead of exiting. */
export function createProgram(context: ProgramContext): Command {
  const { catalog, io, page, version, showLacking } = context;
  const root = new Command("msgctl")
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .version(version, "-V, --version", "Print the versions of msgctl and of its contract.")
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // commander writes the help for a missing subcommand here; `outputError` is empty because the caller prints errors
      writeErr: showLacking,
      outputError: () => {},
      getOutHasColors: () => true,
      getErrHasColors: () => true,
      // help pages choose their own width; commander would load process.stdout to read the terminal's width
      getOutHelpWidth: () => Number.POSITIVE_INFINITY,
      getErrHelpWidth: () => Number.POSITIVE_INFINITY,
    });
  root.configureHelp({ formatHelp: () => rootHelp(catalog, page) });
  addGlobalFlags(root);
  for (const group of allGroups(catalog)) addGroup(root, group, context);
  root.hook("preSubcommand", (_, group) => fill(group));
  addLeaves(root, catalog.rootCommands, context);
  addHelp(root, context);
  return root;
}

function addGroup(root: Command, group: GroupEntry<AnyEntry>, context: ProgramContext): void {
  const command = root.command(group.name);
  command.configureHelp({ formatHelp: () => groupHelp(group, context.page) });
  contents.set(command, () => {
    addGlobalFlags(command);
    addLeaves(command, group.commands, context);
  });
}

/** For each group that is still empty, the function that adds its flags and commands. A line names only one group. */
const contents = new WeakMap<Command, () => void>();

function fill(group: Command): void {
  contents.get(group)?.();
  contents.delete(group);
}

function addLeaves(parent: Command, entries: readonly AnyEntry[], context: ProgramContext): void {
  const leaves = new Map(entries.map((entry) => [parent.command(entry.name).aliases([...entry.aliases]), entry]));
  parent.hook("preSubcommand", async (_, leaf) => {
    const entry = leaves.get(leaf);
    if (entry !== undefined) await define(leaf, entry, context);
  });
}

type Flags = Readonly<Record<string, unknown>>;

async function define(leaf: Command, entry: AnyEntry, { catalog, io, page }: ProgramContext): Promise<void> {
  const destined = async (flags: Flags, run: (io: Io, context: CommandContext) => Promise<void>) => {
    const { withDestination } = await import("./runtime.ts");
    await withDestination(flags, { io, isColoured: page.isColoured }, (to) =>
      run(to.io, { catalog, isColoured: to.isColoured }),
    );
  };
  if ("words" in entry) {
    const definition = await catalog.definition(entry.words);
    leaf.configureHelp({ formatHelp: () => definitionHelp(definition, page) });
    defineCommand(leaf, definition, io, async (line) => {
      await checkQuery(line.globalFlags.query);
      const run = await catalog.commandRun(entry.words);
      await destined(line.globalFlags, (...world) => run(line, ...world));
    });
    return;
  }
  const record = await catalog.record(entry.operationId);
  leaf.configureHelp({ formatHelp: () => commandHelp(record, page) });
  defineOperation(leaf, record, io, async (invocation) => {
    const { awaitCreated, runOperation } = await import("./runtime.ts");
    await destined(invocation.flags, (io, context) => runOperation(invocation, io, { ...context, awaitCreated }));
  });
}

/** Refuses an invalid --query before a defined command does anything. Operations report it with their other faults. */
async function checkQuery(expression: unknown): Promise<void> {
  if (typeof expression !== "string") return;
  const { requireQuery } = await import("./runtime.ts");
  await requireQuery(expression);
}

/** Adds `msgctl help`, `help send`, `help send sms` and `help <topic>`. */
function addHelp(root: Command, context: ProgramContext): void {
  const help = root.command("help").argument("[words...]").helpOption(false);
  help.action(async (words: string[]) => {
    const text = topicHelp(words.join(" "), context.page);
    if (text !== undefined) context.io.stdout.write(text);
    else (await findCommand(root, words, context)).outputHelp();
  });
}

async function findCommand(root: Command, words: readonly string[], context: ProgramContext): Promise<Command> {
  let command = root;
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (next === undefined) throw noHelpFor(words, word, command, context.catalog);
    command = next;
    fill(command);
  }
  const [first, name] = words;
  const group = allGroups(context.catalog).find((candidate) => candidate.name === first);
  const isMeant = ({ name: known, aliases }: AnyEntry) => [known, ...aliases].includes((group ? name : first) ?? "");
  const entry = (group?.commands ?? context.catalog.rootCommands).find(isMeant);
  if (entry !== undefined) await define(command, entry, context);
  return command;
}

function noHelpFor(words: readonly string[], word: string, command: Command, catalog: Catalog): UsageError {
  const said = `there is no help for ${JSON.stringify(words.join(" "))}`;
  const meant = findCommands(word, command.parent === null ? undefined : command.name(), catalog);
  if (meant.length > 0) return new UsageError(said, [formatAdvice(meant)]);
  const known = [...command.commands.map((child) => child.name()), ...(command.parent === null ? topicNames : [])];
  return new UsageError(`${said}${didYouMean(word, known)}`, ["Run `msgctl help` to see all commands."]);
}
