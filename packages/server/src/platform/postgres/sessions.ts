// A connection leads to a session of the server's that is its own, or to a pooler (PgBouncer and its like) that lends it
// another one for each transaction. Nothing outlasts a transaction there: no prepared statement, and no setting.

import type { ClientBase, QueryConfig } from "pg";

/** How long a statement waits for another transaction's lock. Migrations have no limit. */
const LOCK_MS = 5_000;
/** The same in a transaction that waits briefly. */
const BRIEF_LOCK_MS = 2_000;
/** The longest that a statement may take: whoever waits for it has given up. Migrations have no limit. */
export const STATEMENT_MS = 30_000;
/** The longest that a transaction may wait for its server's next turn; a paused instance must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 20_000;

/** How long a new connection may take to answer. */
const ANSWER_MS = 5_000;

/** The driver's types lack the timeout. */
export interface TimedQuery extends QueryConfig {
  readonly query_timeout?: number | undefined;
}

const limits = Object.entries({
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
});
/**
 * A connection keeps the plan of a statement, which it may have made while a table was small: a scan, or a hash of it, that
 * was cheap then is slow when the table is not. Behind a pooler nothing is kept.
 */
const planByIndex = Object.entries({
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
});

const limitTransaction = limits.map(([name, ms]) => `; SET LOCAL ${name} = ${ms}`).join("");

const pooled = new WeakSet<ClientBase>();

/** Whether the connection leads to a pooler. */
export function isPooled(client: ClientBase): boolean {
  return pooled.has(client);
}

/**
 * Prepares a new connection: finds out where it leads, and sets the limits of its session if that is its own. A server
 * greets with the number of its process; a pooler greets with a random number of 31 bits or more. No parameter of the
 * greeting is used for the limits: PgBouncer refuses those that it does not know.
 */
export async function openSession(
  client: ClientBase,
  { plansByIndex }: { plansByIndex: boolean },
): Promise<{ readonly takesWrites: boolean }> {
  const { processID = 0 } = client as { processID?: number | null };
  const isOwn = `pg_backend_pid() = ${processID ?? 0}`;
  const settings = plansByIndex ? [...limits, ...planByIndex] : limits;
  const set = settings.map(([name, value]) => `CASE WHEN ${isOwn} THEN set_config('${name}', '${value}', false) END`);
  const question: TimedQuery = {
    text: `SELECT ${isOwn} AS is_own, current_setting('transaction_read_only') AS read_only, ${set.join(", ")}`,
    query_timeout: ANSWER_MS,
  };
  const { rows } = await client.query<{ is_own: unknown; read_only: string }>(question);
  const [found] = rows;
  if (found?.is_own !== 1) pooled.add(client);
  return { takesWrites: found?.read_only === "off" };
}

/** The text that begins a transaction, with its limits where the session has none. */
export function beginning(client: ClientBase, begin = "BEGIN"): string {
  return isPooled(client) ? begin + limitTransaction : begin;
}

/** Has a transaction give up on a lock before those do that wait for what it holds. */
export const waitBrieflyStatement = `SET LOCAL lock_timeout = ${BRIEF_LOCK_MS}`;

/** Names of prepared statements by their texts, which are as many as the code has: the same on every connection. */
const names = new Map<string, string>();

/** A text and, where statements last, the name under which it is prepared. */
export function nameStatement(client: ClientBase, text: string): { text: string; name?: string } {
  if (isPooled(client)) return { text };
  let name = names.get(text);
  if (name === undefined) {
    name = `msgd_${names.size + 1}`;
    names.set(text, name);
  }
  return { text, name };
}

/** A pooler is between, where the session has to be the server's own. */
export class PoolerBetween extends Error {
  override readonly name = "PoolerBetween";

  constructor() {
    super(
      "a pooler, such as PgBouncer, is between msgd and the database, and hides whether instances serve it: set DATABASE_URL to the address of PostgreSQL itself for this command",
    );
  }
}
