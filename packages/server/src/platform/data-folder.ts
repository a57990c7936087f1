// The folder that holds all data of a server, readable by its owner alone, and the secrets in it.

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

/** Throws if other users can read the file. Ignores pipes and missing files, and Windows, which has no file modes. */
export function requirePrivateFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || !isOpen(stats)) return;
  throw new Error(
    `${file} holds secrets, and other users of this machine can read it (mode ${octal(stats)}): chmod 600 ${shellWord(file)}, or write it to standard input and name it -`,
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
    `other users of this machine can read ${open.slice(0, MOST_NAMED).join(", ")} in ${path} (mode ${octal(folder)}): chmod -R go= ${shellWord(path)}. If somebody may have read them, rotate every key and make the secrets anew (docs/operations.md, "The data folder")`,
  );
}

const MOST_NAMED = 5;

/** Returns whether everybody, or a group without msgd, has access. Kubernetes gives volumes to a group with msgd. */
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
  /** The mark of the last message that was handed over, independent of the database (docs/decisions/0046). */
  readonly markFile: string;
  /** The index of searches, which can be made again from the database. */
  readonly searchFile: string;
  readonly pepperFile: string;
  readonly demoCredentialFile: string;
  /** Holds the URL of the server that uses, or last used, the folder, for commands beside it. */
  readonly addressFile: string;
  /** Names the database to which `msgd transfer` has moved the data, which is no longer served from here. */
  readonly transferredFile: string;
}

/** Creates the folder and its parents with mode 0700 unless they exist. Throws if others can read its files. */
export function openDataFolder(path: string): DataFolder {
  makeFolder(resolve(path));
  requirePrivateFolder(path);
  return locateDataFolder(path);
}

/** Returns whether a folder can be written, or created if it is missing. Creates nothing. */
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
 * Creates the folder and its parents with mode 0700 if they are missing. `mkdirSync` with `recursive` reports ENOENT on a
 * read-only disk, and does not return below `/proc`.
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

/** Returns the paths of the folder's files, which may not exist. */
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
 * Returns the pepper that is hashed into every secret, so that a stolen database is useless without it.
 * Created with mode 0600 on the first call. Losing the file means losing every credential.
 */
export function readPepper(folder: DataFolder): string {
  const file = folder.pepperFile;
  makeSecretFile(file, "base64url");
  const pepper = readFileSync(file, "utf8").trim();
  if (pepper.length < 32) {
    throw new Error(
      `${file} is damaged: expected at least 32 characters, found ${pepper.length}. Put it back from a backup; ` +
        "where there is none, delete it and start again, which says what to do",
    );
  }
  return pepper;
}

/**
 * Returns the folder's own key for sealing secrets, used when the operator sets none. With `make` it is created, mode
 * 0600; otherwise undefined until it exists. Stored next to the database, it protects only copies of the database.
 */
export function readFolderSecretKey(folder: DataFolder, { make }: { make: boolean }): Buffer | undefined {
  const file = join(folder.path, "secret-key");
  if (make) makeSecretFile(file, "base64");
  else if (!existsSync(file)) return undefined;
  const key = parseSecretKey(readFileSync(file, "utf8"));
  if (key === undefined) {
    throw new Error(
      `${file} is damaged: expected base64 of 32 bytes. Put it back from a backup; where there is none, ` +
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
 * Locks the folder for this process until it ends, however it ends. Throws when another server holds the lock. Commands
 * beside a server need no lock.
 */
export function lockDataFolder(folder: DataFolder): FileLock {
  const lock = lockFile(join(folder.path, "server.lock"));
  if (lock !== undefined) return lock;
  throw new Error(`another msgd serves ${folder.path}: stop it, or give this one another folder with --data`);
}

/** Throws for a database that is a link: SQLite keeps its log beside the target, and msgd would flush another one. */
export function requireNoLink({ databaseFile }: DataFolder): void {
  if (!lstatSync(databaseFile, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new Error(
    `${databaseFile} is a link: move the whole folder, and name that with --data, or make the folder a link`,
  );
}

/** Throws for a folder without its database, though a server has used it. */
export function requireDatabaseInPlace({ path, databaseFile, simulatorFile }: DataFolder): void {
  const found = statSync(databaseFile, { throwIfNoEntry: false });
  if ((found?.size ?? 0) > 0 || !existsSync(simulatorFile)) return;
  throw new Error(
    `${databaseFile} is ${found === undefined ? "missing" : "empty"}, though a server has kept its data in ${path}: put a backup back with msgd restore, or, to begin anew, name another folder with --data`,
  );
}

/**
 * Writes a file that only its owner can read, replacing whatever has its name: an older file that others may read, or a
 * link, which is not followed. Readers see the old file or the new one, never a part. Only one process at a time may
 * write a file: a draft found beside it was left by a killed process, is as secret as the file, and is removed.
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
 * Returns the secret box of a server or command. It seals with the operator's first key, else with the data folder's own,
 * which is created for the first secret. The operator's other keys and the folder's key open.
 */
export function openSecretBox(folder: DataFolder, configured: readonly Buffer[]): SecretBox {
  let kept: Buffer | undefined;
  // read at each use until it exists: an import beside a running server may create it
  const folderKey = (make: boolean) => (kept ??= readFolderSecretKey(folder, { make }));
  const keysToOpen = () => [...configured, folderKey(false)].filter((key) => key !== undefined);
  const keysToSeal = () => [configured[0] ?? folderKey(true)].filter((key) => key !== undefined);
  return { ...createSecretBox(keysToOpen), seal: createSecretBox(keysToSeal).seal };
}
