// Failures of a data folder or a database server, in plain words.

import { hidePassword } from "../platform/database-url.ts";
import { ReadOnlyByDefault } from "../platform/postgres/connections.ts";
import { CommitInDoubt, StoreUnavailable } from "../store/store.ts";

/**
 * Runs `work` on the database at `url`. Replaces an error of its connection by one that says what is wrong and what to
 * do, without the password.
 */
export function withDatabaseServer<T>(url: string, work: () => Promise<T>): Promise<T> {
  return explaining(work, (error) => explainServer(error, hidePassword(url)));
}

/**
 * Runs `work` on a data folder. Replaces an error of the system or SQLite by one that says what is wrong and what to
 * do.
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

/** Checks the error and its causes: a store wraps those of its connection. */
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
      return `${url} cannot be reached (${error.code}): see whether a firewall is between, or correct DATABASE_URL`;
    case "ECONNRESET":
    case "EPIPE":
    case "57P01":
      return `the connection to ${url} was cut: see the log of PostgreSQL, then try again`;
    // those of the system are about the socket; others are about files
    case "ENOENT":
    case "EACCES":
      return isAboutSocket(error) ? `${url} has no socket that can be opened: ${error.message}` : undefined;
    // PostgreSQL has it for a breach of the protocol, and PgBouncer for all that it refuses
    case "08P01":
      return `the pooler at ${url} refused (${error.message}): correct its settings, or DATABASE_URL`;
    case "28P01":
      return `${url} refuses the password: correct it in DATABASE_URL`;
    case "28000":
      return `${url} refuses the user (${error.message}): correct DATABASE_URL, or let it in (CREATE ROLE, pg_hba.conf)`;
    case "3D000":
      return `${url} does not exist: make the database with createdb, or correct DATABASE_URL`;
    case "42501":
      return `the user of ${url} may not do that (${error.message}): make it the owner of the database`;
    case "25006":
      if (error instanceof ReadOnlyByDefault) {
        return `${url} takes no writes of its user, whose transactions are read-only: ALTER ROLE … SET default_transaction_read_only = off (or that of the database)`;
      }
      return `${url} takes no writes, it is a standby: name the primary, or all hosts with target_session_attrs=read-write`;
    case "53300":
      return `${url} has no connection left: raise max_connections, or lower --database-connections of the instances`;
    case "57P03":
      return `${url} is starting up or shutting down: try again when it is done`;
    case "57014":
    case "55P03":
      return `${url} kept the command waiting too long (${error.message}): try again when it is less busy`;
    case "53100":
      return `the disk of ${url} is full: make room, then try again; nothing is lost`;
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "CERT_HAS_EXPIRED":
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `the certificate of ${url} is not to be trusted (${error.message}): name its authority with sslrootcert=<file> in DATABASE_URL`;
    default:
      return undefined;
  }
}

/** `pg` gives these no code. */
function explainWords({ message }: Error, url: string): string | undefined {
  if (message.includes("does not support SSL")) {
    return `${url} has no TLS: turn it on there, or leave sslmode out of DATABASE_URL`;
  }
  if (message.includes("password must be a")) return `${url} wants a password: put it into DATABASE_URL`;
  if (/timeout expired|connection timeout/.test(message)) {
    return `${url} did not answer in time: see whether a firewall is between, or correct DATABASE_URL`;
  }
  if (message.startsWith("Connection terminated")) {
    return `the connection to ${url} was cut: see the log of PostgreSQL, then try again`;
  }
  return undefined;
}

function isAboutSocket(error: Error): boolean {
  return "syscall" in error && error.syscall === "connect";
}

/** Checks the causes of a store's error, too: the store wraps those of SQLite and of the disk. */
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
