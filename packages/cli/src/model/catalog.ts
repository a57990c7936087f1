/** All the commands. Help and hints are passed a catalog; the real one is ../catalog.ts. */
import type { Io } from "../process/io.ts";
import type { CommandDefinition, CommandLine } from "./command.ts";
import type { AnyEntry, CommandIndex, DefinedEntry, DefinedGroup, GroupEntry, OperationRecord } from "./record.ts";

export interface Catalog {
  index: CommandIndex;
  definedGroups: readonly DefinedGroup[];
  /** Defined commands without a group: `msgctl doctor`. */
  rootCommands: readonly DefinedEntry[];
  record(operationId: string): Promise<OperationRecord>;
  /** A defined command by its words. */
  definition(words: string): Promise<CommandDefinition>;
  commandRun(words: string): Promise<CommandRun>;
  /** The remedy for a problem code of the service. */
  hint(code: string): Promise<string | undefined>;
}

/** Runs the command. @throws {CliError} With the exit code for how it ended. */
export type CommandRun = (line: CommandLine, io: Io, context: CommandContext) => Promise<void>;

export interface CommandContext {
  catalog: Catalog;
  /** Whether standard output is coloured. */
  isColoured: boolean;
}

/** Every group with all its commands: the contract's first, then the defined ones. */
export function allGroups({ index: { groups }, definedGroups }: Catalog): GroupEntry<AnyEntry>[] {
  const known = groups.map(({ name, description, commands }) => {
    const defined = definedGroups.find((group) => group.name === name)?.commands ?? [];
    return { name, description, commands: [...commands, ...defined] };
  });
  const others = definedGroups.filter(({ name }) => !groups.some((group) => group.name === name));
  return [...known, ...others.map(({ description = "", ...group }) => ({ description, ...group }))];
}
