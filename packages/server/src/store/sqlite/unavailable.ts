import { StoreUnavailable } from "../store.ts";

/** Where the machine is at fault (a full disk, a failed read, a file locked for too long) and not the statement. */
const MACHINE_FAULT = /^SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY)/;

/** What the library says of a connection that was closed meanwhile. */
const CLOSED = "The database connection is not open";

/** An error of SQLite as the store's callers know it: `StoreUnavailable` where trying again later can help. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof TypeError && error.message === CLOSED) return new StoreUnavailable("the database was closed");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return MACHINE_FAULT.test(code) ? new StoreUnavailable(`the database failed: ${code}`, { cause: error }) : error;
}
