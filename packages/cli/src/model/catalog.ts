/** All commands. Functions get the catalog as a parameter; the real one is ../catalog.ts. */
import type { Io } from "../process/io.ts";
import type { CommandDefinition, CommandLine } from "./command.ts";
import type { AnyEntry, CommandIndex, DefinedEntry, DefinedGroup, GroupEntry, OperationRecord } from "./record.ts";

export interface Catalog {
  index: CommandIndex;
  definedGroups: readonly DefinedGroup[];
  /** Defined commands without a group: `msgctl doctor`. */
  rootCommands: readonly DefinedEntry[];
  record(operationId: string): Promise<OperationRecord>;
  /** Returns the defined command with these words. */
  definition(words: string): Promise<CommandDefinition>;
  commandRun(words: string): Promise<CommandRun>;
  /** Returns the remedy for a problem code of the service. */
  hint(code: string): Promise<string | undefined>;
}

/** Runs a command. @throws {CliError} Unless it succeeds; the error has the exit code. */
export type CommandRun = (line: CommandLine, io: Io, context: CommandContext) => Promise<void>;

export interface CommandContext {
  catalog: Catalog;
  /** Whether standard output is coloured. */
  isColoured: boolean;
}

/** Returns every group with all its commands, those of the contract before the defined ones. */
export function allGroups({ index: { groups }, definedGroups }: Catalog): GroupEntry<AnyEntry>[] {
  const known = groups.map(({ name, description, commands }) => {
    const defined = definedGroups.find((group) => group.name === name)?.commands ?? [];
    return { name, description, commands: [...commands, ...defined] };
  });
  const others = definedGroups.filter(({ name }) => !groups.some((group) => group.name === name));
  return [...known, ...others.map(({ description = "", ...group }) => ({ description, ...group }))];
}
