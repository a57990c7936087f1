import { StoreUnavailable } from "../store.ts";

/** Errors caused by the machine (a full disk, a failed read, a file locked for too long), not the statement. */
const MACHINE_FAULT = /^SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY)/;

/** The library's error for a connection that was closed meanwhile. */
const CLOSED = "The database connection is not open";

/** Maps an error of SQLite to one for the store's callers: `StoreUnavailable` if retrying later can help. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof TypeError && error.message === CLOSED) return new StoreUnavailable("the database was closed");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return MACHINE_FAULT.test(code) ? new StoreUnavailable(`the database failed: ${code}`, { cause: error }) : error;
}
