// Time limits of PostgreSQL's callers, and of PostgreSQL itself.

/** Time that a caller waits for a connection. */
export const WAIT_MS = 5_000;
/** The longest timeout of the driver, 24 days. */
export const LONGEST_ANSWER_MS = 2 ** 31 - 1;

/** Time that a statement waits for another transaction's lock. Migrations have no limit. */
export const LOCK_MS = 5_000;
/** `LOCK_MS` in a transaction that waits briefly. */
export const BRIEF_LOCK_MS = 2_000;
/** The longest that a statement may take: its caller has given up by then. Migrations have no limit. */
export const STATEMENT_MS = 30_000;
/** Time that an instance waits for an answer: longer, so that the server's own error comes first. */
export const ANSWER_MS = STATEMENT_MS + 5_000;
/** Time that a transaction may be idle: a paused instance must not hold its locks. */
export const IDLE_IN_TRANSACTION_MS = 20_000;

/** Makes a transaction give up on a lock before others give up on its own locks. */
export const waitBrieflyStatement = `SET LOCAL lock_timeout = ${BRIEF_LOCK_MS}`;

/** Lets a transaction be idle without a limit. */
export const stayIdleStatement = "SET LOCAL idle_in_transaction_session_timeout = 0";
