// The ledger's connections to PostgreSQL: its own, so that nothing it knows is part of a transaction of the server's.

import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, QueryResultRow } from "pg";
import { createTables } from "./postgres-tables.ts";

const CONNECTIONS = 4;
const CONNECT_MS = 5_000;
/** How long a statement may take: longer than a submission is valid, shorter than a provider's caller waits. */
const STATEMENT_MS = 9_000;
const LEAVE_MS = 2_000;
/** The type of `bigint`: none of the ledger's is beyond a safe integer. */
const INT8 = 20;

/** Classes of SQLSTATE that tell of the connection or its server, not of the statement. */
const LOST = /^(?:08|57P)/;
/** A failed serialization or a deadlock: nothing was done. */
const UNDONE = /^40(?:001|P01)$/;

export interface Connections {
  /** How many statements are under way. */
  readonly underWay: number;
  /**
   * Runs a statement. One that PostgreSQL has undone is run again, and one that is `repeatable` (that may be run twice)
   * also after its connection was lost: once. Any other rejection leaves open whether it was done.
   */
  query<Row extends QueryResultRow>(
    text: string,
    values?: unknown[],
    options?: { readonly repeatable: boolean },
  ): Promise<Row[]>;
  close(): Promise<void>;
}

/** Connects to the database at `url`, and creates the ledger's tables if they are missing. */
export async function openConnections(url: string): Promise<Connections> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "msgd simulated carrier",
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format)),
    },
  });
  // whoever uses a connection hears that it is lost; the next statement opens another
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", () => {});
  try {
    await prepare(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return new PooledConnections(pool);
}

async function prepare(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await createTables(client);
  } finally {
    client.release();
  }
}

class PooledConnections implements Connections {
  readonly #pool: Pool;
  underWay = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async query<Row extends QueryResultRow>(
    text: string,
    values: unknown[] = [],
    { repeatable }: { readonly repeatable: boolean } = { repeatable: false },
  ): Promise<Row[]> {
    // without values, a text may have several statements
    const run = async () => (await this.#pool.query<Row>(text, values.length === 0 ? undefined : values)).rows;
    this.underWay += 1;
    try {
      return await run().catch((error: unknown) => {
        const state = readSqlState(error);
        if (state !== undefined && UNDONE.test(state)) return run();
        if (repeatable && (state === undefined || LOST.test(state))) return run();
        throw error;
      });
    } finally {
      this.underWay -= 1;
    }
  }

  async close(): Promise<void> {
    // a server that is cut off does not take leave
    await Promise.race([this.#pool.end(), sleep(LEAVE_MS, undefined, { ref: false })]);
  }
}

/** The SQLSTATE of PostgreSQL's own errors; others, such as ECONNRESET, are of the connection. */
function readSqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("severity" in error && "code" in error)) return undefined;
  return String(error.code);
}
