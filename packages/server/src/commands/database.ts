// Finds and opens the database of a command: in a data folder, or on a server where instances share it.

import { hash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { needsReseal, readKeptPepper, readSharedPepper, resealPepper } from "../domain/tenancy/secrets.ts";
import {
  canWriteFolder,
  type DataFolder,
  locateDataFolder,
  openDataFolder,
  openSecretBox,
  readFolderSecretKey,
  requireDatabaseInPlace,
  requireNoLink,
  writePrivateFile,
} from "../platform/data-folder.ts";
import { type DatabaseLocation, hidePassword } from "../platform/database-url.ts";
import { createSecretBox, type SecretBox } from "../platform/secret-box.ts";
import {
  ConfigError,
  readDatabaseUrl,
  readDataFolder,
  readSearchFolder,
  readSecretKeys,
  requireSecretKeys,
} from "../settings/config.ts";
import { countSeals, type Seal } from "../store/sealed-secrets.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { withDatabaseServer, withDataFolder } from "./failures.ts";

/** Marks the folder as transferred to the database at `url`, so that no server uses it by accident. */
export function markTransferred({ transferredFile }: DataFolder, url: string): void {
  writePrivateFile(transferredFile, `${hidePassword(url)}\n`);
}

/** Removes the mark. */
export function unmarkTransferred({ transferredFile }: DataFolder): void {
  rmSync(transferredFile, { force: true });
}

/** Throws if the folder's data was transferred to a server. */
export function requireUntransferred({ path, transferredFile }: DataFolder): void {
  if (!existsSync(transferredFile)) return;
  const where = readFileSync(transferredFile, "utf8").trim();
  throw new Error(
    `the data in ${path} was transferred to ${where}: set DATABASE_URL to use it there. To continue here instead, without the changes made there, delete ${transferredFile}`,
  );
}

/** Length of the digest that names the folder of a database's search index. */
const DIGEST_LENGTH = 16;

/** A database and the secrets beside it. */
export interface Installation {
  readonly database: DatabaseLocation;
  /** The name that messages show: the data folder, or the URL without its password. */
  readonly name: string;
  /** The folder of all data. With a URL it has only the files of `serve --dev`. It may be missing. */
  readonly folder: DataFolder;
  /** The file of the search index; undefined if there is no folder for it. */
  readonly searchFile: string | undefined;
  /** The index's folder if it cannot be written; else undefined. */
  readonly unwritable?: string | undefined;
  /** Throws if `msgd transfer` has moved the data elsewhere, because further writes here would be lost. */
  requireUntransferred(): void;
  /** Returns the pepper of the store's credentials. Throws if the pepper or the shared secret key is missing or wrong. */
  readPepper(store: Store): Promise<string>;
  /** Returns the secret box of the store. Throws if the shared secret key is missing or wrong. */
  openSecretBox(store: Store): Promise<SecretBox>;
  /** Returns the prefix that newly sealed secrets have; undefined while there is no key. */
  findSealPrefix(): string | undefined;
  /** Counts the store's secrets, including the pepper, that depend on a key other than the one that seals. */
  countOlderSeals(store: Store, now: number): Promise<number>;
  /** Reseals the pepper with the key that seals. Returns whether that changed anything. */
  resealPepper(store: Store): Promise<boolean>;
}

/** Finds the installation named by flags and environment. Creates nothing. Throws if they name two. */
export function findInstallation(flags: DataFlags, env: NodeJS.ProcessEnv): Installation {
  const folder = locateDataFolder(readDataFolder(flags.data, env));
  const url = readDatabaseUrl(env);
  if (url === undefined) return inFolder(folder, () => readSecretKeys(env));
  if (flags.data !== undefined && existsSync(folder.databaseFile)) {
    throw new ConfigError(
      `--data: there is a database in ${folder.path}, and DATABASE_URL names another, ${hidePassword(url)}: leave out one of them`,
    );
  }
  const findKeys = () => {
    const keys = readSecretKeys(env);
    const kept = keys.length > 0 ? undefined : readFolderSecretKey(folder, { make: false });
    return kept === undefined ? keys : [kept];
  };
  return { ...onServer(url, findKeys), folder, ...findIndex(readSearchFolder(env), url) };
}

/** Finds the search index. Each database's index has a folder of its own, because it contains words of messages. */
function findIndex(folder: string | undefined, url: string): Pick<Installation, "searchFile" | "unwritable"> {
  if (folder === undefined) return { searchFile: undefined };
  const searchFile = join(folder, hash("sha256", hidePassword(url)).slice(0, DIGEST_LENGTH), "search.db");
  return canWriteFolder(dirname(searchFile)) ? { searchFile } : { searchFile: undefined, unwritable: folder };
}

function inFolder(folder: DataFolder, findKeys: () => readonly Buffer[]): Installation {
  return {
    database: { file: folder.databaseFile },
    name: folder.path,
    folder,
    searchFile: folder.searchFile,
    requireUntransferred: () => requireUntransferred(folder),
    readPepper: (store) => store.write((tx) => readKeptPepper(tx, folder)),
    openSecretBox: async () => openSecretBox(folder, findKeys()),
    findSealPrefix: () => openSecretBox(folder, findKeys()).findPrefix(),
    countOlderSeals: (store, now) =>
      store.read((tx) => countOlderSeals(tx, { box: openSecretBox(folder, findKeys()), now })),
    // here the pepper is a file, which is not sealed
    resealPepper: async () => false,
  };
}

function onServer(
  url: string,
  findKeys: () => readonly Buffer[],
): Omit<Installation, "folder" | "searchFile" | "unwritable"> {
  const requireKeys = () => requireSecretKeys(findKeys());
  const readPepper = (store: Store) => {
    const keys = requireKeys();
    return store.write((tx) => readSharedPepper(tx, keys));
  };
  const box = createSecretBox(findKeys);
  return {
    database: { url },
    name: hidePassword(url),
    // `msgd transfer` never moves a database that is on a server
    requireUntransferred() {},
    readPepper: async (store) => readPepper(store),
    async openSecretBox(store) {
      await readPepper(store);
      return box;
    },
    findSealPrefix: () => box.findPrefix(),
    countOlderSeals: (store, now) =>
      store.read(
        async (tx) => (await countOlderSeals(tx, { box, now })) + ((await needsReseal(tx, requireKeys())) ? 1 : 0),
      ),
    resealPepper: (store) => store.write((tx) => resealPepper(tx, requireKeys())),
  };
}

async function countOlderSeals(tx: Transaction, { box, now }: { box: SecretBox; now: number }): Promise<number> {
  return countOthers(await countSeals(tx, now), box.findPrefix());
}

/** Counts the secrets that were not sealed with the key of `prefix`; 0 if there is no key yet. */
export function countOthers(seals: readonly Seal[], prefix: string | undefined): number {
  if (prefix === undefined) return 0;
  return seals.reduce((sum, seal) => (seal.prefix === prefix ? sum : sum + seal.count), 0);
}

const instead = {
  backup: "make a dump (pg_dump --format=custom), or archive WAL for point-in-time recovery",
  restore:
    "stop all instances, restore the database (pg_restore, point-in-time recovery), then run msgd restore --mark before they start",
};

/** Throws if the database is on a server. For commands that work on a database file. */
export function refuseServer(command: "backup" | "restore", env: NodeJS.ProcessEnv): void {
  const url = readDatabaseUrl(env);
  if (url === undefined) return;
  throw new ConfigError(
    `msgd ${command} works on a data folder, but ${hidePassword(url)} is on a server: ${instead[command]}`,
  );
}

/** Runs `work` on the installation. Explains failures of its folder or its database's server in plain words. */
export function withInstallation<T>({ database, folder }: Installation, work: () => Promise<T>): Promise<T> {
  return withDataFolder(folder.path, async () => {
    if ("url" in database) return withDatabaseServer(database.url, work);
    requireNoLink(folder);
    requireDatabaseInPlace(folder);
    return work();
  });
}

type StoreWork = (store: Store, installation: Installation) => Promise<void>;

/** Runs `work` on an installation that has a database. If there is none, throws instead of creating one. */
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

/** Runs `work` on the store of the database. Creates the database if it is missing. */
export async function withStore(flags: DataFlags, environment: CommandEnvironment, work: StoreWork): Promise<void> {
  const installation = findInstallation(flags, environment.env);
  await withInstallation(installation, () => {
    if ("file" in installation.database) openDataFolder(installation.folder.path);
    return openAndWork(installation, environment, work);
  });
}

/** Runs `work` on the store of an existing database. If it is missing, throws: its name may be mistyped. */
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

/** `msgd migrate`: migrates the tables to this build's version. Prints each migration, or that there was none. */
export async function runMigrate(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  await withDatabase(flags, environment, async ({ database }) => {
    const steps = await databases.migrate(database, clock.now());
    for (const { version, name } of steps) output.out(`${version}  ${name}\n`);
    output.err(steps.length === 0 ? "The database was already up to date.\n" : "The database is up to date.\n");
  });
}
