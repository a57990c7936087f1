import { CommitInDoubt, StoreUnavailable } from "../store/store.ts";

/**
 * Runs `work` on a data folder. An error of the operating system or SQLite is replaced by one that says in plain words
 * what is wrong with the folder and what to do.
 */
export async function withDataFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const explained = explain(error, path);
    throw explained === undefined ? error : new Error(explained, { cause: error });
  }
}

/** Looks at what caused a store's error, too: the store wraps those of SQLite and of the disk. */
function explain(error: unknown, folder: string): string | undefined {
  if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) return explain(error.cause, folder);
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  const at = "path" in error && typeof error.path === "string" ? error.path : folder;
  // SQLite adds detail to some codes: SQLITE_CANTOPEN_ISDIR, SQLITE_CORRUPT_INDEX
  const code = error.code.split("_").slice(0, 2).join("_");
  switch (code) {
    case "EROFS":
      return `${at} is on a disk that may only be read: choose another folder with --data`;
    case "ENOENT":
      return "syscall" in error && error.syscall === "mkdir"
        ? `${at} cannot be made there: choose another folder with --data`
        : undefined;
    case "EACCES":
    case "EPERM":
      return `no permission to read or write ${at}: make it this user's own, or choose another (--data)`;
    case "SQLITE_CANTOPEN":
    case "SQLITE_READONLY":
    case "SQLITE_PERM":
      return `the database in ${folder} cannot be opened for writing: give this user that folder and the files in it, or choose another with --data`;
    case "EEXIST":
      return `${at} cannot be the data folder: there is a file in its place; choose another with --data`;
    // of a file in the folder, too, whichever is looked for first
    case "ENOTDIR":
      return `${folder} cannot be the data folder: there is a file in its place; choose another with --data`;
    case "EISDIR":
      return `${at} is a folder where msgd keeps a file of that name: move it away`;
    case "ENAMETOOLONG":
      return `--data is too long for a folder's name here: received ${folder.length} characters`;
    case "ENOSPC":
    case "EDQUOT":
    case "SQLITE_FULL":
      return `there is no space left for ${at}: make some, then start again; nothing is lost`;
    case "SQLITE_NOTADB":
    case "SQLITE_CORRUPT":
      return `a database in ${folder} (msgd.db or simulator.db) is damaged (${error.message}): put a copy back from a backup, or choose another folder with --data`;
    case "SQLITE_BUSY":
      return `another process keeps the database in ${folder} busy: try again when it has finished`;
    default:
      return undefined;
  }
}
