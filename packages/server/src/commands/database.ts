import { existsSync } from "node:fs";
import type { Restored } from "../dispatch/messages/restoration.ts";
import { type DataFolder, locateDataFolder } from "../platform/data-folder.ts";
import { readDataFolder } from "../settings/config.ts";
import type { DatabaseFiles } from "../store/database-files.ts";
import { withDataFolder } from "./data-failure.ts";
import type { CommandEnvironment } from "./tenancy.ts";

/** The environment of commands on the database file itself. */
export interface DatabaseEnvironment extends CommandEnvironment {
  readonly databaseFiles: DatabaseFiles<Restored>;
}

/** Runs `work` on a data folder that has a database. Throws for any other, and does not create it. */
export async function withDatabase(
  flags: { data?: string },
  { env }: CommandEnvironment,
  work: (folder: DataFolder) => Promise<void>,
): Promise<void> {
  const data = readDataFolder(flags.data, env);
  const folder = locateDataFolder(data);
  if (!existsSync(folder.databaseFile)) {
    throw new Error(
      `there is no data of msgd in ${data}: name the folder that the server uses with --data (MSGD_DATA)`,
    );
  }
  await withDataFolder(data, () => work(folder));
}
