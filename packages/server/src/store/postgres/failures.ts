// What an error of PostgreSQL, or of the way to it, means for the store's callers.

import { RowBusy, StoreUnavailable } from "../store.ts";

/** A transaction that met another one: run again, it finds what the other one left. */
const CONFLICTS = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "23505", // unique_violation: statements that expect a row say ON CONFLICT, so it was added in between
]);

/**
 * Classes and codes of a server that cannot work now: connection lost or refused (08, 57P0x, 28 while it has no
 * connection left), out of resources (53), a statement that took too long, an error of its disk (58), a former primary
 * that takes no more writes.
 */
const SERVER_FAULT = /^(?:08|53|57P0|58|57014$|25006$|25P03$|XX00[12]$)/;

/** A lock that was waited for in vain. */
const LOCK_NOT_AVAILABLE = "55P03";

/** The connection is gone, or none was made, or its server takes no writes: nothing of an open transaction is left. */
const LOST = /^(?:08|57P0|53300$|25P03$|25006$)/;

/** Codes of Node for a connection that was refused, cut or never answered. */
const NETWORK_FAULT = /^(?:ECONN|EPIPE|EHOST|ENET|ETIMEDOUT|ENOTFOUND|EAI_)/;

/** The driver's words for the same: it gives these errors no code. */
const DRIVER_FAULT =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered|was closed)|Query read timeout|The server does not support SSL)/;

/** Whether the transaction can be run again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** Whether the connection is gone, and with it whatever was not committed. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return LOST.test(code) || NETWORK_FAULT.test(code) || (error instanceof Error && DRIVER_FAULT.test(error.message));
}

/** Maps an error to one for the store's callers: `StoreUnavailable` if trying later can help. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (codeOf(error) === LOCK_NOT_AVAILABLE) return new RowBusy("another transaction held a row", { cause: error });
  if (!isLost(error) && !SERVER_FAULT.test(codeOf(error))) return error;
  const reason = codeOf(error) || (error as Error).message;
  return new StoreUnavailable(`the database failed: ${reason}`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
