// Sessions on connections. A direct connection has its own session. A pooler (such as PgBouncer) lends a connection a
// session for each transaction, after which prepared statements and settings are lost.

import type { ClientBase, QueryConfig } from "pg";
import { type Answer, Exchange, type Preparation, type Statement, streamOf, type Value } from "./exchange.ts";
import { IDLE_IN_TRANSACTION_MS, LOCK_MS, STATEMENT_MS } from "./limits.ts";

/** Time limit for the first answer on a new connection. */
const OPENING_MS = 5_000;

/** Adds the timeout, which the driver's types lack. */
interface TimedQuery extends QueryConfig {
  readonly query_timeout: number;
}

const limits = Object.entries({
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
});

/**
 * Settings that avoid plans for small tables, because a session keeps a plan even after the table has grown. Bitmap scans are
 * off because they read all versions of a key before they find the newest (docs/decisions/0040).
 */
const planByIndex = Object.entries({
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
});

/** The SQLSTATE class of warnings. */
const WARNINGS = "01";

/**
 * Prepares a new connection: finds out whether it goes through a pooler and, if it does not, sets the limits of its session. On
 * connecting, a server sends its process id, and a pooler a random number. Limits are not sent as startup parameters, because
 * PgBouncer refuses parameters that it does not know. See `ConnectionOptions`.
 */
export async function openSession(
  client: ClientBase,
  { answerMs, plansByIndex }: { answerMs: number; plansByIndex: boolean },
): Promise<{ readonly session: Session; readonly takesWrites: boolean; readonly isStandby: boolean }> {
  const { processID = 0 } = client as { processID?: number | null };
  const isOwn = `pg_backend_pid() = ${processID ?? 0}`;
  const settings = plansByIndex ? [...limits, ...planByIndex] : limits;
  const set = settings.map(([name, value]) => `CASE WHEN ${isOwn} THEN set_config('${name}', '${value}', false) END`);
  const query: TimedQuery = {
    text: `SELECT ${isOwn} AS is_own, current_setting('transaction_read_only') AS read_only,
                  pg_is_in_recovery() AS is_standby, ${set.join(", ")}`,
    query_timeout: OPENING_MS,
  };
  const { rows } = await client.query<{ is_own: unknown; read_only: string; is_standby: unknown }>(query);
  const [found] = rows;
  return {
    session: new Session(client, { isPooled: found?.is_own !== 1, answerMs }),
    takesWrites: found?.read_only === "off",
    isStandby: found?.is_standby === 1,
  };
}

interface PendingStatement extends Statement {
  readonly answerMs: number;
}

/** The port for a session, which a simulation replaces. */
export type SessionPort = Pick<Session, "ask" | "begin" | "isPooled">;

/** A prepared connection. It has at most one exchange of statements in progress. */
export class Session {
  /** Whether the connection goes through a pooler. */
  readonly isPooled: boolean;
  readonly #client: ClientBase;
  readonly #answerMs: number;
  /** The statements prepared on the server, by text. There are at most as many as SQL texts in the code. */
  readonly #prepared = new Map<string, Preparation>();
  #names = 0;
  #waiting: PendingStatement[] = [];
  #exchange: Exchange | undefined;

  constructor(client: ClientBase, { isPooled, answerMs }: { isPooled: boolean; answerMs: number }) {
    this.#client = client;
    this.isPooled = isPooled;
    this.#answerMs = answerMs;
    client.on("notice", ({ code = "" }) => {
      if (code.startsWith(WARNINGS)) this.#exchange?.warn(code);
    });
  }

  /**
   * Queues a statement. The queued statements are sent together: at the end of the turn or, if an answer is outstanding,
   * when it has arrived. Rejects with the server's error, with `PassedOver` if an earlier statement of the same exchange
   * failed, or with the connection's error. If the answer takes longer than `answerMs`, ends the connection.
   */
  ask<Row>(text: string, values: readonly Value[] = [], answerMs = this.#answerMs): Promise<Answer<Row>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values, answerMs, resolve: resolve as Statement["resolve"], reject });
      if (this.#waiting.length === 1 && this.#exchange === undefined) process.nextTick(() => this.#send());
    });
  }

  /** Begins a transaction, sets its limits if the session has none, and runs the statements `more`. */
  async begin(begin = "BEGIN", ...more: string[]): Promise<void> {
    const limit = this.isPooled ? limits.map(([name, ms]) => `SET LOCAL ${name} = ${ms}`) : [];
    await Promise.all([begin, ...limit, ...more].map((text) => this.ask(text)));
  }

  #send(): void {
    const asked = this.#waiting;
    // this runs twice if a statement is queued between the end of an exchange and the next tick
    if (asked.length === 0 || this.#exchange !== undefined) return;
    this.#waiting = [];
    const statements = asked.map((statement) => ({ ...statement, ...this.#prepare(statement.text) }));
    const answerMs = Math.max(...asked.map(({ answerMs }) => answerMs));
    const overdue = setTimeout(() => this.#giveUp(answerMs), answerMs);
    this.#exchange = new Exchange(statements, (firstFailed) => {
      clearTimeout(overdue);
      this.#exchange = undefined;
      // the server may have skipped these statements, so their texts are sent again under other names
      if (firstFailed !== undefined) {
        for (const { text, isNew } of statements.slice(firstFailed)) if (isNew) this.#prepared.delete(text);
      }
      process.nextTick(() => this.#send());
    });
    this.#client.query(this.#exchange);
  }

  #prepare(text: string): { preparation: Preparation; isNew: boolean } {
    if (this.isPooled) return { preparation: { name: "" }, isNew: true };
    const known = this.#prepared.get(text);
    if (known !== undefined) return { preparation: known, isNew: false };
    this.#names += 1;
    const preparation = { name: `msgd_${this.#names}` };
    this.#prepared.set(text, preparation);
    return { preparation, isNew: true };
  }

  #giveUp(answerMs: number): void {
    const error = Object.assign(new Error(`the database did not answer within ${answerMs} ms`), { code: "ETIMEDOUT" });
    this.#exchange?.handleError(error);
    streamOf(this.#client).destroy();
  }
}

/** Thrown if the connection goes through a pooler but must be direct. */
export class PoolerBetween extends Error {
  override readonly name = "PoolerBetween";

  constructor() {
    super(
      "a pooler, such as PgBouncer, is between msgd and the database, and hides whether instances serve it: set DATABASE_URL to the address of PostgreSQL itself for this command",
    );
  }
}
