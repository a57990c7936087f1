// Queries the databases of msgd and of the simulated carrier, whether or not a server is running.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";

/** Runs a query. All queries used here run on both engines. */
export type Query = <Row extends object>(sql: string) => Promise<Row[]>;

/** The data to compare: msgd's tables, and the simulated carrier's ledger. */
export interface Data {
  readonly own: Query;
  readonly ledger: Query;
}

const LOOK_MS = 100;
/** PostgreSQL types that the driver returns as text: `bigint` and `numeric`, such as sums. */
const numberTypes: readonly number[] = [20, 1700];

/** Opens the two databases of a data folder. */
export function readFolder(folder: string): Data {
  return { own: readFile(join(folder, "msgd.db")), ledger: readFile(join(folder, "simulator.db")) };
}

/** Opens the two schemas of a PostgreSQL database. */
export function readShared(url: string): Data {
  return { own: readSchema(url, "public"), ledger: readSchema(url, "simulated_carrier") };
}

/** Whether the query returns a row. */
export async function hasRow(query: Query, sql: string): Promise<boolean> {
  return (await query(`${sql} LIMIT 1`)).length > 0;
}

/** Waits until the query returns no row, or until the time limit. Returns whether it returned none. */
export async function waitForNone(query: Query, sql: () => string, boundMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + boundMs;
  while (await hasRow(query, sql())) {
    if (performance.now() >= giveUpAt) return false;
    await sleep(LOOK_MS);
  }
  return true;
}

function readFile(path: string): Query {
  return async <Row>(sql: string) => {
    const database = new BetterSqlite3(path, { readonly: true, timeout: 5_000 });
    try {
      return database.prepare<[], Row>(sql).all();
    } finally {
      database.close();
    }
  };
}

function readSchema(url: string, schema: string): Query {
  return async <Row extends object>(sql: string) => {
    const client = new pg.Client({
      connectionString: url,
      options: `-c search_path=${schema}`,
      types: {
        getTypeParser: (type, format) => (numberTypes.includes(type) ? Number : pg.types.getTypeParser(type, format)),
      },
    });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
}
