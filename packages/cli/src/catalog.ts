/** The catalog of the real commands. It loads generated data only on demand. Tests create their own catalog. */

import type { DefinedWords } from "./commands/definitions.ts";
import { filterFlags } from "./commands/filter-flags.ts";
import { definedGroups, rootCommands } from "./commands/index.ts";
import { index } from "./generated/index.ts";
import type { Catalog } from "./model/catalog.ts";
import type { Definition } from "./model/command.ts";

export const catalog: Catalog = {
  index,
  definedGroups,
  rootCommands,
  async definition(words) {
    const { definitions } = await import("./commands/definitions.ts");
    const definition: Definition = known(words, definitions[words as DefinedWords]);
    const { filtersOf, flags } = definition;
    const filters = filtersOf === undefined ? [] : filterFlags(await this.record(filtersOf));
    return { ...definition, words, flags: [...filters, ...flags] };
  },
  async commandRun(words) {
    const { runs } = await import("./commands/runs.ts");
    return known(words, runs[words as DefinedWords]);
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
  if (found === undefined) throw new Error(`The index names ${name}, which has no definition.`);
  return found;
}
