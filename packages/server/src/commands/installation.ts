// What a command works on: a data folder, or a database that instances share.

import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  canWriteFolder,
  type DataFolder,
  locateDataFolder,
  readFolderSecretKey,
  requireDatabaseInPlace,
  requireNoLink,
} from "../platform/data-folder.ts";
import type { DatabaseLocation } from "../platform/database-location.ts";
import { hidePassword } from "../platform/database-url.ts";
import { createSecretBox, type SecretBox } from "../platform/secret-box.ts";
import { openSecretBox } from "../platform/secret-keys.ts";
import {
  ConfigError,
  readDatabaseUrl,
  readDataFolder,
  readSearchFolder,
  readSecretKeys,
  requireSecretKeys,
} from "../settings/config.ts";
import { readKeptPepper } from "../steps/kept-pepper.ts";
import { needsReseal, readSharedPepper, resealPepper } from "../steps/shared-pepper.ts";
import { countSeals, type Seal } from "../store/sealed-secrets.ts";
import type { Store, Transaction } from "../store/store.ts";
import { withDataFolder } from "./data-failure.ts";
import { withDatabaseServer } from "./database-failure.ts";
import type { DataFlags } from "./environment.ts";
import { requireUntransferred } from "./transfer-marks.ts";

/** Of what names the folder of a database's index. */
const DIGEST_LENGTH = 16;

/** A database and the secrets beside it. */
export interface Installation {
  readonly database: DatabaseLocation;
  /** What messages call it: its folder, or its URL without the password. */
  readonly name: string;
  /** Holds everything; with a URL only what `serve --dev` keeps. May not exist. */
  readonly folder: DataFolder;
  /** The index of searches; undefined where no folder keeps it. */
  readonly searchFile: string | undefined;
  /** The folder that would keep the index and cannot be written; undefined otherwise. */
  readonly unwritable?: string | undefined;
  /** Throws if `msgd transfer` has taken the data elsewhere: what were written here would be lost. */
  requireUntransferred(): void;
  /** Returns the pepper of the store's credentials. Throws if it, or the secret key where one is shared, is lost or another. */
  readPepper(store: Store): Promise<string>;
  /** Returns the box of the store's secrets. Throws for a shared secret key that is lost or another. */
  openSecretBox(store: Store): Promise<SecretBox>;
  /** Returns what begins what is sealed now; undefined while there is no key. */
  findSealPrefix(): string | undefined;
  /** Counts the secrets of the store, its pepper among them, that depend on another key than the one that seals. */
  countOlderSeals(store: Store, now: number): Promise<number>;
  /** Has the pepper depend on the key that seals. Returns whether that changed anything. */
  resealPepper(store: Store): Promise<boolean>;
}

/** Finds the installation that flags and environment name. Creates nothing. Throws where they name two. */
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

/** In a folder of the database's own, as an index has words of its messages. */
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

/** How many secrets were not sealed with the key of `prefix`; none where there is no key yet. */
export function countOthers(seals: readonly Seal[], prefix: string | undefined): number {
  if (prefix === undefined) return 0;
  return seals.reduce((sum, seal) => (seal.prefix === prefix ? sum : sum + seal.count), 0);
}

const instead = {
  backup: "take a dump (pg_dump --format=custom) or keep what a point-in-time recovery needs",
  restore:
    "stop all instances, put the database back (pg_restore, point-in-time recovery), then run msgd restore --mark before they start",
};

/** Throws for a command on the database's file where the database is on a server. */
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
