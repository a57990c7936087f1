/** Every command of msgctl, by the words that name it. */

import { catalog } from "../../../packages/cli/src/catalog.ts";
import { allGroups } from "../../../packages/cli/src/model/catalog.ts";
import type { AnyEntry } from "../../../packages/cli/src/model/record.ts";

export interface Leaf {
  readonly words: readonly string[];
  readonly kind: "generated" | "defined";
}

export function listLeaves(): Leaf[] {
  const leaf = (entry: AnyEntry, ...group: string[]): Leaf => ({
    words: [...group, entry.name],
    kind: "words" in entry ? "defined" : "generated",
  });
  return [
    ...allGroups(catalog).flatMap(({ name, commands }) => commands.map((entry) => leaf(entry, name))),
    ...catalog.rootCommands.map((entry) => leaf(entry)),
  ];
}
