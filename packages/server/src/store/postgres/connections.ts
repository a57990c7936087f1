// A bounded pool of connections to whichever of the hosts takes writes.

import type pg from "pg";
import type { Pool, PoolClient } from "pg";
import { explainFailure, isLost } from "./failures.ts";
import { readHosts } from "./hosts.ts";
import { valueTypes } from "./values.ts";

/** How long a caller waits for a connection while all are in use, or while one is being made. */
const WAIT_MS = 5_000;
/** How long a connection stays open without work. */
const IDLE_MS = 30_000;
/** How long a statement waits for another transaction's lock. Migrations have no limit. */
const LOCK_MS = 5_000;
/** The longest that a statement may take: whoever waits for it has given up. Migrations have no limit. */
const STATEMENT_MS = 30_000;
/**
 * The longest that an answer is waited for: a connection may be dead without a word, as where a firewall has forgotten it.
 * Longer than a statement may take, so that the server's own word comes first.
 */
const ANSWER_MS = STATEMENT_MS + 5_000;
/** The longest that the driver can wait: 24 days. */
export const LONGEST_ANSWER_MS = 2 ** 31 - 1;
/** The longest that a transaction may wait for its server's next turn; a paused instance must not hold its locks. */
const IDLE_IN_TRANSACTION_MS = 20_000;

export interface ConnectionOptions {
  readonly url: string;
  /** The most open at once. */
  readonly most: number;
  /** What the server knows them by. @default "msgd" */
  readonly application?: string | undefined;
  /** Whether a connection is given up on which no answer comes, as callers wait. @default false */
  readonly areAnswersBounded?: boolean;
}

export class Connections {
  readonly #pool: Pool;
  readonly #urls: readonly string[];
  #current = 0;

  constructor(driver: typeof pg, { url, most, application = "msgd", areAnswersBounded = false }: ConnectionOptions) {
    const { urls, mustTakeWrites } = readHosts(url);
    this.#urls = urls;
    this.#pool = new driver.Pool({
      connectionString: urls[0],
      max: most,
      pipeline: true,
      connectionTimeoutMillis: WAIT_MS,
      idleTimeoutMillis: IDLE_MS,
      statement_timeout: STATEMENT_MS,
      lock_timeout: LOCK_MS,
      ...(areAnswersBounded ? { query_timeout: ANSWER_MS } : {}),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      application_name: application,
      types: valueTypes,
      ...(mustTakeWrites ? { verify: requireWrites } : {}),
    });
    // a connection that breaks in use, even as soon as it is made: whoever uses it hears of it, and it must not end the process
    this.#pool.on("connect", (client) => client.on("error", () => {}));
    // one that breaks while nobody uses it: the pool has dropped it
    this.#pool.on("error", () => {});
  }

  /** Lends a connection. Rejects with `StoreUnavailable` if none is free, or none can be made, in time. */
  async take(): Promise<PoolClient> {
    for (let tried = 1; ; tried += 1) {
      const url = this.#urls[this.#current];
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (tried >= this.#urls.length || !canBeAnotherHost(error)) throw explainFailure(error);
        this.#leave(url);
      }
    }
  }

  /** Takes a connection back, to be lent again unless it `isBroken`. */
  release(client: PoolClient, isBroken: boolean): void {
    client.release(isBroken);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Goes to the next host, unless another caller has left this one already. */
  #leave(url: string | undefined): void {
    if (this.#urls[this.#current] !== url) return;
    this.#current = (this.#current + 1) % this.#urls.length;
    (this.#pool.options as { connectionString?: string | undefined }).connectionString = this.#urls[this.#current];
  }
}

class ReadOnlyServer extends Error {
  readonly code = "25006";
}

function canBeAnotherHost(error: unknown): boolean {
  return error instanceof ReadOnlyServer || isLost(error);
}

function requireWrites(client: PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ transaction_read_only: string }>("SHOW transaction_read_only")
    .then(
      ({ rows }) =>
        done(rows[0]?.transaction_read_only === "off" ? undefined : new ReadOnlyServer("the server takes no writes")),
      done,
    );
}
