// Time limits of PostgreSQL's clients, and of PostgreSQL itself.

/** How long a caller waits for a connection. */
export const WAIT_MS = 5_000;
/** The longest timeout that the driver supports: 24 days. */
export const LONGEST_ANSWER_MS = 2 ** 31 - 1;

/** How long a statement waits for another transaction's lock. Migrations have no limit. */
export const LOCK_MS = 5_000;
/** The limit for locks in a transaction that waits briefly: see `waitBrieflyStatement`. */
export const BRIEF_LOCK_MS = 2_000;
/** Time limit for a statement: by then, its caller has given up. Migrations have no limit. */
export const STATEMENT_MS = 30_000;
/** How long an instance waits for an answer. It is longer than `STATEMENT_MS`, so that the server's error arrives first. */
export const ANSWER_MS = STATEMENT_MS + 5_000;
/** How long a transaction may be idle. The limit makes a paused instance lose its locks. */
export const IDLE_IN_TRANSACTION_MS = 20_000;

/** Makes a transaction that waits for a lock give up before transactions that wait for its own locks do. */
export const waitBrieflyStatement = `SET LOCAL lock_timeout = ${BRIEF_LOCK_MS}`;

/** Lets a transaction be idle without a time limit. */
export const stayIdleStatement = "SET LOCAL idle_in_transaction_session_timeout = 0";
