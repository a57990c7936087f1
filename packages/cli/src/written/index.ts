/** The written commands there are. Each is loaded when its words are typed. */
import type { WrittenEntry } from "../record.ts";
import type { WrittenCommand, WrittenGroup } from "./written-command.ts";

export const writtenGroups: readonly WrittenGroup[] = [
  {
    name: "config",
    description: "The profiles and settings of this machine.",
    commands: [{ name: "path", aliases: [], summary: "Print the folder of the configuration", written: "config path" }],
  },
];

/** Those that stand without a group, in the order of the root's help. */
export const rootCommands: readonly WrittenEntry[] = [];

const loaders: Readonly<Record<string, () => Promise<WrittenCommand>>> = {
  "config path": async () => (await import("./config-path.ts")).configPath,
};

export async function loadWritten(key: string): Promise<WrittenCommand> {
  const load = loaders[key];
  if (load === undefined) throw new Error(`The index names ${key}, which is not written.`);
  return load();
}
