// What a command works on: a data folder, or a database that instances share.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
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
  isDataFolderNamed,
  readDatabaseUrl,
  readDataFolder,
  readSecretKey,
  requireSecretKey,
} from "../settings/config.ts";
import { readKeptPepper } from "../steps/kept-pepper.ts";
import { readSharedPepper } from "../steps/shared-pepper.ts";
import { findInstallation as findRow } from "../store/installation.ts";
import type { Store } from "../store/store.ts";
import { withDataFolder } from "./data-failure.ts";
import { withDatabaseServer } from "./database-failure.ts";
import type { DataFlags } from "./environment.ts";
import { requireFolderUntransferred, requireServerUntransferred } from "./transfer-marks.ts";

/** A database and the secrets beside it. */
export interface Installation {
  readonly database: DatabaseLocation;
  /** What messages call it: its folder, or its URL without the password. */
  readonly name: string;
  /** Holds everything; with a URL only what `serve --dev` keeps. May not exist. */
  readonly folder: DataFolder;
  /** The index of searches; undefined where no folder is named to keep it, or the one that is cannot be written. */
  readonly searchFile: string | undefined;
  /** The folder that is named to keep the index and cannot be written; undefined otherwise. */
  readonly unwritable?: string | undefined;
  /** Throws if `msgd transfer` has taken the data elsewhere: what were written here would be lost. */
  requireUntransferred(store: Store): Promise<void>;
  /** Returns the pepper of the store's credentials. Throws if it, or the secret key where one is shared, is lost or another. */
  readPepper(store: Store): Promise<string>;
  /** Returns the box of the store's secrets. Throws for a shared secret key that is lost or another. */
  openSecretBox(store: Store): Promise<SecretBox>;
}

/** Finds the installation that flags and environment name. Creates nothing. Throws where they name two. */
export function findInstallation(flags: DataFlags, env: NodeJS.ProcessEnv): Installation {
  const folder = locateDataFolder(readDataFolder(flags.data, env));
  const url = readDatabaseUrl(env);
  if (url === undefined) return inFolder(folder, () => readSecretKey(env));
  if (flags.data !== undefined && existsSync(folder.databaseFile)) {
    throw new ConfigError(
      `--data: there is a database in ${folder.path}, and DATABASE_URL names another, ${hidePassword(url)}: leave out one of them`,
    );
  }
  const isNamed = isDataFolderNamed(flags.data, env);
  const canWrite = isNamed && canWriteFolder(resolve(folder.path));
  const index = {
    searchFile: canWrite ? folder.searchFile : undefined,
    unwritable: isNamed && !canWrite ? folder.path : undefined,
  };
  const findKey = () => readSecretKey(env) ?? readFolderSecretKey(folder, { make: false });
  return { ...onServer(url, findKey), folder, ...index };
}

function inFolder(folder: DataFolder, findKey: () => Buffer | undefined): Installation {
  return {
    database: { file: folder.databaseFile },
    name: folder.path,
    folder,
    searchFile: folder.searchFile,
    requireUntransferred: async () => requireFolderUntransferred(folder),
    readPepper: (store) => store.write((tx) => readKeptPepper(tx, folder)),
    openSecretBox: async () => openSecretBox(folder, findKey()),
  };
}

function onServer(
  url: string,
  findKey: () => Buffer | undefined,
): Omit<Installation, "folder" | "searchFile" | "unwritable"> {
  const readPepper = (store: Store, key: Buffer) => store.write((tx) => readSharedPepper(tx, key));
  return {
    database: { url },
    name: hidePassword(url),
    requireUntransferred: async (store) => {
      const row = await store.read(findRow);
      requireServerUntransferred(url, row?.transferredTo ?? null);
    },
    readPepper: async (store) => readPepper(store, requireSecretKey(findKey())),
    async openSecretBox(store) {
      const key = requireSecretKey(findKey());
      await readPepper(store, key);
      return createSecretBox(() => [key]);
    },
  };
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
