// How long whoever asks PostgreSQL waits, and how long PostgreSQL does.

/** How long a caller waits for a connection while all are in use, or while one is being made. */
export const WAIT_MS = 5_000;
/** The longest that the driver can wait: 24 days. */
export const LONGEST_ANSWER_MS = 2 ** 31 - 1;

/** How long a statement waits for another transaction's lock. Migrations have no limit. */
export const LOCK_MS = 5_000;
/** The same in a transaction that waits briefly. */
export const BRIEF_LOCK_MS = 2_000;
/** The longest that a statement may take: whoever waits for it has given up. Migrations have no limit. */
export const STATEMENT_MS = 30_000;
/** How long an instance waits for an answer: longer, so that the server's own word comes first. */
export const ANSWER_MS = STATEMENT_MS + 5_000;
/** The longest that a transaction may wait for its server's next turn; a paused instance must not hold its locks. */
export const IDLE_IN_TRANSACTION_MS = 20_000;

/** Has a transaction give up on a lock before those do that wait for what it holds. */
export const waitBrieflyStatement = `SET LOCAL lock_timeout = ${BRIEF_LOCK_MS}`;

/** Lets a transaction wait as long as it likes for its server's next turn. */
export const stayIdleStatement = "SET LOCAL idle_in_transaction_session_timeout = 0";
