/**
 * The names of the commands defined here, needed at every start. The bundle contains the evaluated result and none of
 * the definitions.
 */
import type { Definition } from "../model/command.ts";
import type { DefinedEntry, DefinedGroup } from "../model/record.ts";
import { definitions } from "./definitions.ts";

/** Descriptions of groups that exist only in msgctl. */
const descriptions: Readonly<Record<string, string>> = {
  config: "Profiles and settings on this machine.",
  auth: "Credentials on this machine.",
};

const entries = Object.entries<Definition>(definitions).map(([words, { aliases = [], summary, follows }]) => {
  const [name = "", group] = words.split(" ").reverse();
  return { group, entry: { name, aliases, summary, words, ...(follows !== undefined && { follows }) } };
});

export const definedGroups: readonly DefinedGroup[] = [...new Set(entries.flatMap(({ group }) => group ?? []))].map(
  (name) => {
    const description = descriptions[name];
    const commands = entries.filter(({ group }) => group === name).map(({ entry }) => entry);
    return { name, ...(description !== undefined && { description }), commands };
  },
);

/** Commands without a group. */
export const rootCommands: readonly DefinedEntry[] = entries
  .filter(({ group }) => group === undefined)
  .map(({ entry }) => entry);
