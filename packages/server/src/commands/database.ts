// Finds and opens the database that a command works on: in a data folder, or shared by instances.

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

/** Takes the mark back. */
export function unmarkTransferred({ transferredFile }: DataFolder): void {
  rmSync(transferredFile, { force: true });
}

/** Throws if the folder's data was transferred to a server. */
export function requireUntransferred({ path, transferredFile }: DataFolder): void {
  if (!existsSync(transferredFile)) return;
  const where = readFileSync(transferredFile, "utf8").trim();
  throw new Error(
    `the data in ${path} was transferred to ${where}: set DATABASE_URL to use it there. To continue here instead, without anything newer, delete ${transferredFile}`,
  );
}

/** Characters of the digest that names the folder of a database's index. */
const DIGEST_LENGTH = 16;

/** A database and the secrets beside it. */
export interface Installation {
  readonly database: DatabaseLocation;
  /** Name in messages: its folder, or its URL without the password. */
  readonly name: string;
  /** The folder of all data; with a URL, only of what `serve --dev` keeps. May not exist. */
  readonly folder: DataFolder;
  /** The index of searches; undefined if no folder can have it. */
  readonly searchFile: string | undefined;
  /** The folder that would keep the index and cannot be written; undefined otherwise. */
  readonly unwritable?: string | undefined;
  /** Throws if `msgd transfer` has taken the data elsewhere: further writes here would be lost. */
  requireUntransferred(): void;
  /** Returns the pepper of the store's credentials. Throws if it, or the shared secret key, is lost or another. */
  readPepper(store: Store): Promise<string>;
  /** Returns the box of the store's secrets. Throws for a shared secret key that is lost or another. */
  openSecretBox(store: Store): Promise<SecretBox>;
  /** Returns the prefix of newly sealed values; undefined while there is no key. */
  findSealPrefix(): string | undefined;
  /** Counts the secrets of the store, its pepper among them, that depend on another key than the one that seals. */
  countOlderSeals(store: Store, now: number): Promise<number>;
  /** Has the pepper depend on the key that seals. Returns whether that changed anything. */
  resealPepper(store: Store): Promise<boolean>;
}

/** Finds the installation that flags and environment name. Creates nothing. Throws if they name two. */
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

/** Finds the index, in a folder of the database's own: it holds words of the messages. */
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
    // a file, which no key seals
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
    // a database on a server is never taken elsewhere
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

/** Counts the secrets that were not sealed with the key of `prefix`; none if there is no key yet. */
export function countOthers(seals: readonly Seal[], prefix: string | undefined): number {
  if (prefix === undefined) return 0;
  return seals.reduce((sum, seal) => (seal.prefix === prefix ? sum : sum + seal.count), 0);
}

const instead = {
  backup: "take a dump (pg_dump --format=custom) or keep what a point-in-time recovery needs",
  restore:
    "stop all instances, put the database back (pg_restore, point-in-time recovery), then run msgd restore --mark before they start",
};

/** Throws if the database is on a server, for a command on the database's file. */
export function refuseServer(command: "backup" | "restore", env: NodeJS.ProcessEnv): void {
  const url = readDatabaseUrl(env);
  if (url === undefined) return;
  throw new ConfigError(
    `msgd ${command} is for a data folder, and ${hidePassword(url)} is on a server: ${instead[command]}`,
  );
}

/** Runs `work` on the installation, and puts failures of its folder or its database's server in plain words. */
export function withInstallation<T>({ database, folder }: Installation, work: () => Promise<T>): Promise<T> {
  return withDataFolder(folder.path, async () => {
    if ("url" in database) return withDatabaseServer(database.url, work);
    requireNoLink(folder);
    requireDatabaseInPlace(folder);
    return work();
  });
}

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

/** Runs `work` on the store of a database, which is created if there is none. */
export async function withStore(flags: DataFlags, environment: CommandEnvironment, work: StoreWork): Promise<void> {
  const installation = findInstallation(flags, environment.env);
  await withInstallation(installation, () => {
    if ("file" in installation.database) openDataFolder(installation.folder.path);
    return openAndWork(installation, environment, work);
  });
}

/** Runs `work` on the store of a database that exists. Throws for a mistyped folder or database. */
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

/** `msgd migrate`: migrates the tables to this build's version, and prints each migration, or that there was none. */
export async function runMigrate(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  await withDatabase(flags, environment, async ({ database }) => {
    const steps = await databases.migrate(database, clock.now());
    for (const { version, name } of steps) output.out(`${version}  ${name}\n`);
    output.err(
      steps.length === 0 ? "The database is up to date: there was nothing to do.\n" : "The database is up to date.\n",
    );
  });
}
