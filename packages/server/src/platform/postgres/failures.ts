// Classifies errors of PostgreSQL and of connections by their consequence for a transaction.

/** Codes of conflicts with another transaction. If the transaction is run again, it finds the other one's changes. */
const CONFLICTS = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "23505", // unique_violation: as statements use ON CONFLICT for rows that may exist, the row was added in between
]);

/** Codes of a connection that is lost or refused, or whose server accepts no writes: an open transaction is undone. */
const LOST = /^(?:08|57P0|53300$|25P03$|25006$)/;

/** Node's codes for a connection that was refused, cut or never answered. */
const NETWORK_FAULT = /^(?:ECONN|EPIPE|EHOST|ENET|ETIMEDOUT|ENOTFOUND|EAI_)/;

/** The driver's messages for such connections. These errors have no code. */
const DRIVER_FAULT =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered|was closed)|Query read timeout|The server does not support SSL)/;

/** The driver's messages for a statement that was not sent because the connection was already lost. */
const UNSENT = /^Client (?:has encountered a connection error|was closed) and is not queryable$/;

/** Returns whether the transaction can be run again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** Returns whether the connection is lost, and with it any uncommitted work. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return LOST.test(code) || NETWORK_FAULT.test(code) || (error instanceof Error && DRIVER_FAULT.test(error.message));
}

/** Thrown while this server stops and opens no more connections. */
export class ConnectionsEnded extends Error {
  override readonly name = "ConnectionsEnded";

  constructor() {
    super("the server is stopping and no longer waits for its database");
  }
}

/** Thrown if the server skipped or undid a statement because another one, sent with it, failed. Has the code of `cause`. */
export class PassedOver extends Error {
  override readonly name = "PassedOver";
  readonly code: string;

  constructor(cause: unknown) {
    super("a statement sent with it failed", { cause });
    this.code = codeOf(cause);
  }
}

/** Returns whether the statement certainly had no effect, because it was not sent, was skipped or was undone. */
export function isUndone(error: unknown): boolean {
  return error instanceof PassedOver || (error instanceof Error && UNSENT.test(error.message));
}

/** Returns the SQLSTATE of a server's error or Node's code of a network error; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
