// What an error of PostgreSQL, or of the way to it, means for a transaction.

/** A transaction that met another one: run again, it finds what the other one left. */
const CONFLICTS = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "23505", // unique_violation: statements that expect a row say ON CONFLICT, so it was added in between
]);

/** The connection is gone, or none was made, or its server takes no writes: nothing of an open transaction is left. */
const LOST = /^(?:08|57P0|53300$|25P03$|25006$)/;

/** Codes of Node for a connection that was refused, cut or never answered. */
const NETWORK_FAULT = /^(?:ECONN|EPIPE|EHOST|ENET|ETIMEDOUT|ENOTFOUND|EAI_)/;

/** The driver's words for the same: it gives these errors no code. */
const DRIVER_FAULT =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered|was closed)|Query read timeout|The server does not support SSL)/;

/** The driver's words for a statement that it has not sent: the connection was gone before. */
const UNSENT = /^Client (?:has encountered a connection error|was closed) and is not queryable$/;

/** Whether the transaction can be run again at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** Whether the connection is gone, and with it whatever was not committed. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return LOST.test(code) || NETWORK_FAULT.test(code) || (error instanceof Error && DRIVER_FAULT.test(error.message));
}

/** A stop no longer waits for the database: no connection is made any more. */
export class ConnectionsEnded extends Error {
  override readonly name = "ConnectionsEnded";

  constructor() {
    super("the server is being stopped, and waits for its database no longer");
  }
}

/** The server passed over the statement, or has undone it, as one that was sent with it failed: by `cause`, whose code this has. */
export class PassedOver extends Error {
  override readonly name = "PassedOver";
  readonly code: string;

  constructor(cause: unknown) {
    super("a statement sent with it failed", { cause });
    this.code = codeOf(cause);
  }
}

/** Whether the statement was certainly not done: it never left this process, or the server passed over it or has undone it. */
export function isUndone(error: unknown): boolean {
  return error instanceof PassedOver || (error instanceof Error && UNSENT.test(error.message));
}

/** The SQLSTATE of an error of the server's, or Node's code of one of the network; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
