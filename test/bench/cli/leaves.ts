/** Every command of msgctl, by the words that name it. */
import { allGroups, catalog } from "../../../packages/cli/src/catalog.ts";
import type { AnyEntry } from "../../../packages/cli/src/record.ts";

export interface Leaf {
  readonly words: readonly string[];
  readonly kind: "generated" | "written";
}

export function listLeaves(): Leaf[] {
  const leaf = (entry: AnyEntry, ...group: string[]): Leaf => ({
    words: [...group, entry.name],
    kind: "written" in entry ? "written" : "generated",
  });
  return [
    ...allGroups(catalog).flatMap(({ name, commands }) => commands.map((entry) => leaf(entry, name))),
    ...catalog.rootCommands.map((entry) => leaf(entry)),
  ];
}
