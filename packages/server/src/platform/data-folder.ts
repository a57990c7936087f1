// The folder with all data and secrets of a server. Only its owner can read it.

import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type FileLock, lockFile } from "./file-lock.ts";
import { createSecretBox, parseSecretKey, type SecretBox } from "./secret-box.ts";
import { shellWord } from "./shell-word.ts";

/** Throws if other users can read the file. Ignores pipes, missing files, and all files on Windows (no file modes). */
export function requirePrivateFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || !isOpen(stats)) return;
  throw new Error(
    `${file} holds secrets, and other users of this machine can read it (mode ${octal(stats)}): chmod 600 ${shellWord(file)}, or pass it on standard input and give - as the file name`,
  );
}

/** Throws if other users can enter the folder and read a file in it. */
export function requirePrivateFolder(path: string): void {
  const folder = statSync(path);
  if (!isOpen(folder)) return;
  const open = readdirSync(path).filter((name) => {
    const stats = statSync(join(path, name), { throwIfNoEntry: false });
    return stats?.isFile() && isOpen(stats);
  });
  if (open.length === 0) return;
  throw new Error(
    `other users of this machine can read ${open.slice(0, MOST_NAMED).join(", ")} in ${path} (mode ${octal(folder)}): chmod -R go= ${shellWord(path)}. If somebody may have read them, rotate every key and replace all secrets (docs/operations.md, "The data folder")`,
  );
}

const MOST_NAMED = 5;

/** Returns whether everybody, or a group other than msgd's, has access. Kubernetes gives a volume to a group of msgd's. */
function isOpen({ mode, gid }: Stats): boolean {
  const own = process.getgroups?.();
  if (own === undefined) return false;
  return (mode & 0o005) !== 0 || ((mode & 0o050) !== 0 && gid !== process.getegid?.() && !own.includes(gid));
}

function octal({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

export interface DataFolder {
  readonly path: string;
  readonly databaseFile: string;
  /** The ledger of the simulated provider, which is independent of the database. */
  readonly simulatorFile: string;
  /** Records the last submitted message, independently of the database (docs/decisions/0046). */
  readonly markFile: string;
  /** The search index, which can be rebuilt from the database. */
  readonly searchFile: string;
  readonly pepperFile: string;
  readonly demoCredentialFile: string;
  /** Contains the URL of the server that uses, or last used, the folder. Commands read it. */
  readonly addressFile: string;
  /** Names the database to which `msgd transfer` has moved the data. While it exists, the folder cannot be served. */
  readonly transferredFile: string;
}

/** Creates the folder and its parents with mode 0700 unless they exist. Throws if others can read its files. */
export function openDataFolder(path: string): DataFolder {
  makeFolder(resolve(path));
  requirePrivateFolder(path);
  return locateDataFolder(path);
}

/** Returns whether a folder is writable or, if missing, can be created. Creates nothing. */
export function canWriteFolder(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined && path !== dirname(path)) return canWriteFolder(dirname(path));
    accessSync(path, constants.W_OK | constants.X_OK);
    return found?.isDirectory() === true;
  } catch {
    return false;
  }
}

/**
 * Creates the folder and its parents with mode 0700 if they are missing. `mkdirSync` with `recursive` cannot be used: it
 * reports ENOENT on a read-only disk and never returns below `/proc`.
 */
export function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found === undefined) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another command may have just created it
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Returns the paths of the folder's files. They need not exist. */
export function locateDataFolder(path: string): DataFolder {
  return {
    path,
    databaseFile: join(path, "msgd.db"),
    simulatorFile: join(path, "simulator.db"),
    markFile: join(path, "handed-over"),
    searchFile: join(path, "search.db"),
    pepperFile: join(path, "pepper"),
    demoCredentialFile: join(path, "demo-credential.json"),
    addressFile: join(path, "address"),
    transferredFile: join(path, "transferred-to"),
  };
}

/**
 * Returns the pepper that is hashed into every secret, so that a stolen database is useless without it. The first call
 * creates the file, mode 0600. If the file is lost, no credential works any more.
 */
export function readPepper(folder: DataFolder): string {
  const file = folder.pepperFile;
  makeSecretFile(file, "base64url");
  const pepper = readFileSync(file, "utf8").trim();
  if (pepper.length < 32) {
    throw new Error(
      `${file} is damaged: expected at least 32 characters, found ${pepper.length}. Put it back from a backup; ` +
        "if there is none, delete it and start msgd, which then says what to do",
    );
  }
  return pepper;
}

/**
 * Returns the folder's key for sealing secrets, which is used if the operator sets none. If it is missing, creates it, mode
 * 0600, with `make`; else returns undefined. As it is stored next to the database, it protects only copies of the database.
 */
export function readFolderSecretKey(folder: DataFolder, { make }: { make: boolean }): Buffer | undefined {
  const file = join(folder.path, "secret-key");
  if (make) makeSecretFile(file, "base64");
  else if (!existsSync(file)) return undefined;
  const key = parseSecretKey(readFileSync(file, "utf8"));
  if (key === undefined) {
    throw new Error(
      `${file} is damaged: expected base64 of 32 bytes. Put it back from a backup; if there is none, ` +
        "delete it and import the provisioning again",
    );
  }
  return key;
}

function makeSecretFile(file: string, encoding: "base64" | "base64url"): void {
  if (existsSync(file)) return;
  try {
    writeFileSync(file, randomBytes(32).toString(encoding), { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    // another command on the same folder has just created it
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Locks the folder until this process ends, even if it is killed. Throws if another server holds the lock. Commands that run
 * beside a server need no lock.
 */
export function lockDataFolder(folder: DataFolder): FileLock {
  const lock = lockFile(join(folder.path, "server.lock"));
  if (lock !== undefined) return lock;
  throw new Error(`another msgd serves ${folder.path}: stop it, or give this one another folder with --data`);
}

/** Throws if the database file is a link: SQLite keeps its log beside the target, but msgd would flush one beside the link. */
export function requireNoLink({ databaseFile }: DataFolder): void {
  if (!lstatSync(databaseFile, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new Error(
    `${databaseFile} is a link: move the whole folder and name it with --data, or make the folder itself a link`,
  );
}

/** Throws if a server has used the folder but its database is missing. */
export function requireDatabaseInPlace({ path, databaseFile, simulatorFile }: DataFolder): void {
  const found = statSync(databaseFile, { throwIfNoEntry: false });
  if ((found?.size ?? 0) > 0 || !existsSync(simulatorFile)) return;
  throw new Error(
    `${databaseFile} is ${found === undefined ? "missing" : "empty"}, though a server has kept its data in ${path}: put a backup back with msgd restore or, to start without the old data, name another folder with --data`,
  );
}

/**
 * Writes a file that only its owner can read. It replaces an older file, whatever its mode, or a link, which is not
 * followed. Readers see the old file or the new one, never a part. Only one process at a time may write a file: a draft
 * beside it was left by a killed process and is removed, because it is as secret as the file.
 */
export function writePrivateFile(file: string, text: string): void {
  removeDrafts(file);
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
  try {
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft);
    throw error;
  }
}

function removeDrafts(file: string): void {
  const beginning = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(beginning) && /^[0-9a-f]{12}$/.test(name.slice(beginning.length))) {
      rmSync(join(dirname(file), name), { force: true });
    }
  }
}

/**
 * Returns the secret box of a server or command. It seals with the operator's first key or, without one, with the data
 * folder's key, which is created for the first secret. To open, it also uses the operator's other keys and the folder's key.
 */
export function openSecretBox(folder: DataFolder, configured: readonly Buffer[]): SecretBox {
  let kept: Buffer | undefined;
  // the key is read at each use until it exists, because an import that runs while a server does may create it
  const folderKey = (make: boolean) => (kept ??= readFolderSecretKey(folder, { make }));
  const keysToOpen = () => [...configured, folderKey(false)].filter((key) => key !== undefined);
  const keysToSeal = () => [configured[0] ?? folderKey(true)].filter((key) => key !== undefined);
  return { ...createSecretBox(keysToOpen), seal: createSecretBox(keysToSeal).seal };
}
