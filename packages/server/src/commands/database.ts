// Finds and opens the database that a command works on.

import { openDataFolder } from "../platform/data-folder.ts";
import type { Store } from "../store/store.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { findInstallation, type Installation, withInstallation } from "./installation.ts";

type StoreWork = (store: Store, installation: Installation) => Promise<void>;

/** Runs `work` on an installation that has a database. Throws for any other, and does not create it. */
export async function withDatabase(
  flags: DataFlags,
  { env, databases }: CommandEnvironment,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const installation = findInstallation(flags, env);
  const { database, name } = installation;
  await withInstallation(installation, async () => {
    if (await databases.exists(database)) return work(installation);
    const correction =
      "url" in database
        ? "set DATABASE_URL to the one that the server has"
        : "name the folder that the server uses with --data (MSGD_DATA)";
    throw new Error(`there is no data of msgd in ${name}: ${correction}`);
  });
}

/** Runs `work` on the store of a database, which is made where there is none. */
export async function withStore(flags: DataFlags, environment: CommandEnvironment, work: StoreWork): Promise<void> {
  const installation = findInstallation(flags, environment.env);
  await withInstallation(installation, () => {
    if ("file" in installation.database) openDataFolder(installation.folder.path);
    return openAndWork(installation, environment, work);
  });
}

/** The same for commands that need a tenant. Throws for a mistyped folder or database. */
export async function withKnownStore(
  flags: DataFlags,
  environment: CommandEnvironment,
  work: StoreWork,
): Promise<void> {
  await withDatabase(flags, environment, (installation) => openAndWork(installation, environment, work));
}

async function openAndWork(
  installation: Installation,
  { openStore }: CommandEnvironment,
  work: StoreWork,
): Promise<void> {
  installation.requireUntransferred();
  const store = await openStore(installation.database);
  try {
    await work(store, installation);
  } finally {
    await store.close();
  }
}
