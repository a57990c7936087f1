// What an error of PostgreSQL means for the store's callers.

import { ConnectionsEnded, codeOf, isConflict, isLost } from "../../platform/postgres/failures.ts";
import { CommitInDoubt, RowBusy, RunAgain, StoreUnavailable } from "../store.ts";

/**
 * Classes and codes of a server that cannot work now: out of resources (53), a statement that took too long, an error of
 * its disk (58), a damaged page. The same for what was changed under msgd, and only an operator can undo: the role or its
 * password (28), the database (3D), the schema (3F), a right, or the tables.
 */
const SERVER_FAULT = /^(?:53|58|57014$|XX00[12]$|28|3D|3F|42501$|42P01$)/;

/** A lock that was waited for in vain. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Maps an error to one for the store's callers: `StoreUnavailable` if trying later can help. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) return error;
  if (error instanceof RunAgain)
    return new StoreUnavailable(`others were in the way: ${error.message}`, { cause: error });
  const code = codeOf(error);
  if (code === LOCK_NOT_AVAILABLE) return new RowBusy("another transaction held a row", { cause: error });
  if (isConflict(error)) return new StoreUnavailable(`other transactions were in the way: ${code}`, { cause: error });
  const mayPass = isLost(error) || SERVER_FAULT.test(code) || error instanceof ConnectionsEnded;
  if (!mayPass) return error;
  return new StoreUnavailable(`the database failed: ${code || (error as Error).message}`, { cause: error });
}

/** The error that `explainFailure` was given. */
export function causeOf(error: unknown): unknown {
  return error instanceof StoreUnavailable ? error.cause : error;
}
