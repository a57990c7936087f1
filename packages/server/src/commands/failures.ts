// Explains failures of a data folder or a database server in plain words.

import { hidePassword } from "../platform/database-url.ts";
import { ReadOnlyByDefault } from "../platform/postgres/connections.ts";
import { CommitInDoubt, StoreUnavailable } from "../store/store.ts";

/**
 * Runs `work` on the database at `url`. Replaces connection errors with errors that say what is wrong and what to do,
 * without the password.
 */
export function withDatabaseServer<T>(url: string, work: () => Promise<T>): Promise<T> {
  return explaining(work, (error) => explainServer(error, hidePassword(url)));
}

/**
 * Runs `work` on a data folder. Replaces errors of the system or SQLite with errors that say what is wrong and what to do.
 */
export function withDataFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  return explaining(work, (error) => explainFolder(error, path));
}

async function explaining<T>(work: () => Promise<T>, explain: (error: unknown) => string | undefined): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const explained = explain(error);
    throw explained === undefined ? error : new Error(explained, { cause: error });
  }
}

/** Explains the error or one of its causes, because a store wraps the errors of its connection. */
function explainServer(error: unknown, url: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return explainCode(error, url) ?? explainWords(error, url) ?? explainServer(error.cause, url);
}

function explainCode(error: Error, url: string): string | undefined {
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  switch (error.code) {
    case "ECONNREFUSED":
      return `nothing listens at ${url}: start PostgreSQL there, or correct DATABASE_URL`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host of ${url} has no address: correct DATABASE_URL, or the name service`;
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `${url} cannot be reached (${error.code}): check for a firewall in between, or correct DATABASE_URL`;
    case "ECONNRESET":
    case "EPIPE":
    case "57P01":
      return `the connection to ${url} was cut: see the log of PostgreSQL, then try again`;
    // from `connect`, the code is about the socket; otherwise it is about a file
    case "ENOENT":
    case "EACCES":
      return isAboutSocket(error) ? `${url} has no socket that can be opened: ${error.message}` : undefined;
    // PostgreSQL uses this code for protocol violations, PgBouncer for everything that it refuses
    case "08P01":
      return `the pooler at ${url} refused (${error.message}): correct its settings, or DATABASE_URL`;
    case "28P01":
      return `${url} refuses the password: correct it in DATABASE_URL`;
    case "28000":
      return `${url} refuses the user (${error.message}): correct DATABASE_URL, or let it in (CREATE ROLE, pg_hba.conf)`;
    case "3D000":
      return `${url} does not exist: create the database with createdb, or correct DATABASE_URL`;
    case "42501":
      return `the user of ${url} may not do that (${error.message}): make it the owner of the database`;
    case "25006":
      if (error instanceof ReadOnlyByDefault) {
        return `${url} accepts no writes from its user, whose transactions are read-only: ALTER ROLE … SET default_transaction_read_only = off (or ALTER DATABASE)`;
      }
      return `${url} accepts no writes because it is a standby: name the primary, or all hosts with target_session_attrs=read-write`;
    case "53300":
      return `${url} has no connection left: raise max_connections, or lower --database-connections of the instances`;
    case "57P03":
      return `${url} is starting up or shutting down: try again when it is done`;
    case "57014":
    case "55P03":
      return `${url} kept the command waiting too long (${error.message}): try again when it is less busy`;
    case "53100":
      return `the disk of ${url} is full: free some space, then try again; nothing is lost`;
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "CERT_HAS_EXPIRED":
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `the certificate of ${url} is not trusted (${error.message}): name its authority with sslrootcert=<file> in DATABASE_URL`;
    default:
      return undefined;
  }
}

/** Explains errors to which `pg` gives no code. */
function explainWords({ message }: Error, url: string): string | undefined {
  if (message.includes("does not support SSL")) {
    return `${url} does not support TLS: enable it there, or remove sslmode from DATABASE_URL`;
  }
  if (message.includes("password must be a")) return `${url} requires a password: put it into DATABASE_URL`;
  if (/timeout expired|connection timeout/.test(message)) {
    return `${url} did not answer in time: check for a firewall in between, or correct DATABASE_URL`;
  }
  if (message.startsWith("Connection terminated")) {
    return `the connection to ${url} was cut: see the log of PostgreSQL, then try again`;
  }
  return undefined;
}

function isAboutSocket(error: Error): boolean {
  return "syscall" in error && error.syscall === "connect";
}

/** Explains the error or one of its causes, because a store wraps the errors of SQLite and of the disk. */
function explainFolder(error: unknown, folder: string): string | undefined {
  if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) return explainFolder(error.cause, folder);
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
      return `no permission to read or write ${at}: make this user its owner, or choose another folder with --data`;
    case "SQLITE_CANTOPEN":
    case "SQLITE_READONLY":
    case "SQLITE_PERM":
      return `the database in ${folder} cannot be opened for writing: give this user that folder and the files in it, or choose another with --data`;
    case "EEXIST":
      return `${at} cannot be the data folder: there is a file in its place; choose another with --data`;
    // this may also be reported for a file in the folder, depending on which is accessed first
    case "ENOTDIR":
      return `${folder} cannot be the data folder: there is a file in its place; choose another with --data`;
    case "EISDIR":
      return `${at} is a folder where msgd keeps a file of that name: move it away`;
    case "ENAMETOOLONG":
      return `--data is too long for a folder's name here: received ${folder.length} characters`;
    case "ENOSPC":
    case "EDQUOT":
    case "SQLITE_FULL":
      return `there is no space left for ${at}: free some, then start again; nothing is lost`;
    case "SQLITE_NOTADB":
    case "SQLITE_CORRUPT":
      return `a database in ${folder} (msgd.db or simulator.db) is damaged (${error.message}): restore a backup, or choose another folder with --data`;
    case "SQLITE_BUSY":
      return `another process keeps the database in ${folder} busy: try again when it has finished`;
    default:
      return undefined;
  }
}
