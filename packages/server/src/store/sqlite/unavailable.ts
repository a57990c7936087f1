import { StoreUnavailable } from "../store.ts";

/** Where the machine is at fault (a full disk, a failed read, a file locked for too long) and not the statement. */
const MACHINE_FAULT = /^SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY)/;

/** An error of SQLite as the store's callers know it: `StoreUnavailable` where trying again later can help. */
export function explainFailure(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return MACHINE_FAULT.test(code) ? new StoreUnavailable(`the database failed: ${code}`, { cause: error }) : error;
}
