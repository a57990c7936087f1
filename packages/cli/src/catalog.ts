/** The commands there are. Tests make their own; the real one loads no more of the generated data than it is asked for. */
import { index } from "./generated/index.ts";
import type { AnyEntry, CommandIndex, GroupEntry, OperationRecord, WrittenEntry } from "./record.ts";
import { filterFlags } from "./written/filter-flags.ts";
import { rootCommands, writtenGroups } from "./written/index.ts";
import type { WrittenCommand, WrittenGroup, WrittenRun } from "./written/written-command.ts";

export interface Catalog {
  index: CommandIndex;
  writtenGroups: readonly WrittenGroup[];
  /** Written commands that stand without a group: `msgctl doctor`. */
  rootCommands: readonly WrittenEntry[];
  record(operationId: string): Promise<OperationRecord>;
  /** A written command by its words. */
  written(words: string): Promise<WrittenCommand>;
  writtenRun(words: string): Promise<WrittenRun>;
  /** What to do about a problem code of the service. */
  hint(code: string): Promise<string | undefined>;
}

export const catalog: Catalog = {
  index,
  writtenGroups,
  rootCommands,
  async written(words) {
    const { definitions } = await import("./written/definitions.ts");
    const definition = known(
      words,
      definitions.find((candidate) => candidate.words === words),
    );
    const { filtersOf, flags } = definition;
    if (filtersOf === undefined) return definition;
    return { ...definition, flags: [...filterFlags(await this.record(filtersOf)), ...flags] };
  },
  async writtenRun(words) {
    const { runs } = await import("./written/runs.ts");
    return known(words, runs[words]);
  },
  async record(operationId) {
    const { records } = await import("./generated/records.ts");
    return known(operationId, records[operationId]);
  },
  async hint(code) {
    const { hints } = await import("./generated/hints.ts");
    return Object.hasOwn(hints, code) ? hints[code] : undefined;
  },
};

function known<Found>(name: string, found: Found | undefined): Found {
  if (found === undefined) throw new Error(`The index names ${name}, which is nowhere else.`);
  return found;
}

/** Every group with all its commands: the contract's first, written ones behind them. */
export function allGroups({ index: { groups }, writtenGroups }: Catalog): GroupEntry<AnyEntry>[] {
  const known = groups.map(({ name, description, commands }) => {
    const written = writtenGroups.find((group) => group.name === name)?.commands ?? [];
    return { name, description, commands: [...commands, ...written] };
  });
  const others = writtenGroups.filter(({ name }) => !groups.some((group) => group.name === name));
  return [...known, ...others.map(({ description = "", ...group }) => ({ description, ...group }))];
}
