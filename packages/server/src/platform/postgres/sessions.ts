// Sessions on connections. A connection has a session of its own, or leads to a pooler (such as PgBouncer) that lends it one per
// transaction, after which prepared statements and settings are lost.

import type { ClientBase, QueryConfig } from "pg";
import { type Answer, Exchange, type Preparation, type Statement, streamOf, type Value } from "./exchange.ts";
import { IDLE_IN_TRANSACTION_MS, LOCK_MS, STATEMENT_MS } from "./limits.ts";

/** Time limit for a new connection's answer. */
const OPENING_MS = 5_000;

/** The driver's types lack the timeout. */
interface TimedQuery extends QueryConfig {
  readonly query_timeout: number;
}

const limits = Object.entries({
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
});

/**
 * Settings that avoid plans for small tables, because a session keeps a plan after its table has grown. A bitmap reads all
 * versions of a key before it finds the newest (docs/decisions/0040).
 */
const planByIndex = Object.entries({
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
});

/** The class of the SQLSTATEs of warnings. */
const WARNINGS = "01";

/**
 * Prepares a new connection: finds out where it leads, and sets the limits of its session if that is its own. A server greets
 * with its process id, a pooler with a random number. Limits are not parameters of the greeting, because PgBouncer refuses
 * those that it does not know. See `ConnectionOptions`.
 */
export async function openSession(
  client: ClientBase,
  { answerMs, plansByIndex }: { answerMs: number; plansByIndex: boolean },
): Promise<{ readonly session: Session; readonly takesWrites: boolean; readonly isStandby: boolean }> {
  const { processID = 0 } = client as { processID?: number | null };
  const isOwn = `pg_backend_pid() = ${processID ?? 0}`;
  const settings = plansByIndex ? [...limits, ...planByIndex] : limits;
  const set = settings.map(([name, value]) => `CASE WHEN ${isOwn} THEN set_config('${name}', '${value}', false) END`);
  const question: TimedQuery = {
    text: `SELECT ${isOwn} AS is_own, current_setting('transaction_read_only') AS read_only,
                  pg_is_in_recovery() AS is_standby, ${set.join(", ")}`,
    query_timeout: OPENING_MS,
  };
  const { rows } = await client.query<{ is_own: unknown; read_only: string; is_standby: unknown }>(question);
  const [found] = rows;
  return {
    session: new Session(client, { isPooled: found?.is_own !== 1, answerMs }),
    takesWrites: found?.read_only === "off",
    isStandby: found?.is_standby === 1,
  };
}

interface Question extends Statement {
  readonly answerMs: number;
}

/** The port for a session, which a simulation replaces. */
export type SessionPort = Pick<Session, "ask" | "begin" | "isPooled">;

/** A prepared connection. One exchange of statements is in progress at a time. */
export class Session {
  /** Whether it leads to a pooler. */
  readonly isPooled: boolean;
  readonly #client: ClientBase;
  readonly #answerMs: number;
  /** The prepared statements of the server, by text: as many as the code has. */
  readonly #prepared = new Map<string, Preparation>();
  #names = 0;
  #waiting: Question[] = [];
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
   * Sends a statement, together with all that is asked in the same turn or while an answer is outstanding. Rejects with
   * the server's error, with `PassedOver` if one sent with it failed, or with the connection's if that is lost; an
   * answer that does not come in `answerMs` ends the connection.
   */
  ask<Row>(text: string, values: readonly Value[] = [], answerMs = this.#answerMs): Promise<Answer<Row>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values, answerMs, resolve: resolve as Statement["resolve"], reject });
      if (this.#waiting.length === 1 && this.#exchange === undefined) process.nextTick(() => this.#send());
    });
  }

  /** Begins a transaction, with its limits if the session has none, and then the statement `more`. */
  async begin(begin = "BEGIN", ...more: string[]): Promise<void> {
    const limit = this.isPooled ? limits.map(([name, ms]) => `SET LOCAL ${name} = ${ms}`) : [];
    await Promise.all([begin, ...limit, ...more].map((text) => this.ask(text)));
  }

  #send(): void {
    const asked = this.#waiting;
    // called twice if a statement came between the end of an exchange and the next tick
    if (asked.length === 0 || this.#exchange !== undefined) return;
    this.#waiting = [];
    const statements = asked.map((question) => ({ ...question, ...this.#prepare(question.text) }));
    const answerMs = Math.max(...asked.map((question) => question.answerMs));
    const overdue = setTimeout(() => this.#giveUp(answerMs), answerMs);
    this.#exchange = new Exchange(statements, (firstFailed) => {
      clearTimeout(overdue);
      this.#exchange = undefined;
      // the server may not have read these: their texts are sent again, with other names
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

/** A pooler is between, but the session has to be the server's own. */
export class PoolerBetween extends Error {
  override readonly name = "PoolerBetween";

  constructor() {
    super(
      "a pooler, such as PgBouncer, is between msgd and the database, and hides whether instances serve it: set DATABASE_URL to the address of PostgreSQL itself for this command",
    );
  }
}
