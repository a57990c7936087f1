/** The commands there are. Tests make their own; the real one loads no more of the generated data than it is asked for. */
import { index } from "./generated/index.ts";
import type { AnyEntry, CommandIndex, GroupEntry, OperationRecord, WrittenEntry } from "./record.ts";
import { loadWritten, rootCommands, writtenGroups } from "./written/index.ts";
import type { WrittenCommand, WrittenGroup } from "./written/written-command.ts";

export interface Catalog {
  index: CommandIndex;
  writtenGroups: readonly WrittenGroup[];
  /** Written commands that stand without a group: `msgctl doctor`. */
  rootCommands: readonly WrittenEntry[];
  record(operationId: string): Promise<OperationRecord>;
  written(key: string): Promise<WrittenCommand>;
  /** What to do about a problem code of the service. */
  hint(code: string): Promise<string | undefined>;
}

export const catalog: Catalog = {
  index,
  writtenGroups,
  rootCommands,
  written: loadWritten,
  async record(operationId) {
    const { records } = await import("./generated/records.ts");
    const record = records[operationId];
    if (record === undefined) throw new Error(`The index names ${operationId}, of which there is no record.`);
    return record;
  },
  async hint(code) {
    const { hints } = await import("./generated/hints.ts");
    return Object.hasOwn(hints, code) ? hints[code] : undefined;
  },
};

/** Every group with all its commands: the contract's first, written ones behind them. */
export function allGroups({ index: { groups }, writtenGroups }: Catalog): GroupEntry<AnyEntry>[] {
  const known = groups.map(({ name, description, commands }) => {
    const written = writtenGroups.find((group) => group.name === name)?.commands ?? [];
    return { name, description, commands: [...commands, ...written] };
  });
  const others = writtenGroups.filter(({ name }) => !groups.some((group) => group.name === name));
  return [...known, ...others.map(({ description = "", ...group }) => ({ description, ...group }))];
}
