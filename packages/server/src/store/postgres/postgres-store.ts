// Opens databases on a PostgreSQL server: to serve requests, to change data while no instance serves, or to use a
// separate schema.

import { Connections, loadDriver } from "../../platform/postgres/connections.ts";
import { ANSWER_MS } from "../../platform/postgres/limits.ts";
import { migrations } from "../migrate.ts";
import type { Dialect, Migration } from "../statement.ts";
import type { NoteCommit, Store, Transaction, Work } from "../store.ts";
import { TransactionRunner } from "./connection.ts";
import { migrateThrough, waitUntilAlone } from "./migrations.ts";
import { createPooledStore } from "./pooled-store.ts";

/**
 * Migrates the tables of the database at `url` as {@link migrateThrough} does, then disconnects. Returns the migrations
 * that were run.
 */
export async function migratePostgres(
  url: string,
  now: number,
  steps: readonly Migration[] = migrations,
): Promise<Migration[]> {
  const connections = new Connections(await loadDriver(), { url, most: 2, mustTakeWrites: true });
  try {
    return await migrateThrough(connections, now, steps);
  } finally {
    await connections.close();
  }
}

export const defaultMostConnections = 16;
/** One in this many connections is reserved for long reads. */
const LONG_READS_SHARE = 4;

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`; several hosts are separated by commas. */
  readonly url: string;
  /** Epoch milliseconds, for the record of migrations. */
  readonly now: () => number;
  /** The most connections open at once. @default `defaultMostConnections` */
  readonly mostConnections?: number;
  /** Whether the caller serves requests. Its connections are then named `SERVING`, and `writeUnserved` throws. */
  readonly isServing?: boolean;
  readonly noteCommit?: NoteCommit;
}

/** Connects to the database, migrates its tables (or waits while another process does), and returns it as a `Store`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, now, mostConnections = defaultMostConnections, isServing = false, noteCommit } = options;
  const driver = await loadDriver();
  await migratePostgres(url, now());
  const forLongReads = Math.max(1, Math.floor(mostConnections / LONG_READS_SHARE));
  const application = isServing ? SERVING : undefined;
  const serving = { url, application, answerMs: ANSWER_MS, plansByIndex: true };
  const connections = new Connections(driver, { ...serving, most: mostConnections - forLongReads });
  const longReads = new Connections(driver, { ...serving, most: forLongReads });
  try {
    // A command may have checked for instances just before these connections opened: wait until it ends.
    await new TransactionRunner(connections, noteCommit).runUnbounded(waitUntilAlone);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return createPooledStore({ connections, longReads, mostConnections, noteCommit });
}

/** The `application_name` of the connections of an instance that serves requests. */
const SERVING = "msgd serve";

/** Thrown if instances serve a database that a command needs for itself. */
export class DatabaseServed extends Error {
  override readonly name = "DatabaseServed";
}

/**
 * Runs `work` in a transaction of the database at `url`, then disconnects. Throws `DatabaseServed` if an instance serves
 * the database. An instance that starts during the transaction waits until it ends.
 */
export async function writeUnserved<T>(url: string, work: Work<T>): Promise<T> {
  const connections = new Connections(await loadDriver(), { url, most: 1, mustBeDirect: true });
  try {
    return await new TransactionRunner(connections, undefined).run(async (tx) => {
      await waitUntilUnserved(tx);
      return work(tx);
    });
  } finally {
    await connections.close();
  }
}

/**
 * Waits until no other instance is migrating or starting, and keeps instances from doing so until the transaction ends.
 * Throws `DatabaseServed` if an instance serves the database.
 */
export async function waitUntilUnserved(tx: Transaction): Promise<void> {
  await waitUntilAlone(tx);
  const sql = `SELECT COUNT(*) AS connections FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = $1`;
  const found = await tx.get<{ connections: number }>(sql, SERVING);
  if (found === undefined || found.connections > 0) {
    throw new DatabaseServed(
      `instances serve the database, with ${found?.connections} connections: stop them all first`,
    );
  }
}

interface SchemaStoreOptions {
  readonly url: string;
  readonly schema: string;
  readonly tables: (dialect: Dialect) => readonly string[];
  /** The connections' `application_name` on the server. */
  readonly application: string;
  readonly mostConnections: number;
  /** Time limit for an answer. */
  readonly answerMs: number;
}

/** Opens a separate schema on its own connections. Creates the schema and its tables if they are missing. */
export async function openSchemaStore(
  options: SchemaStoreOptions,
): Promise<Pick<Store, "write" | "close"> & Required<Pick<Store, "breakOff">>> {
  const { schema, tables, mostConnections: most, ...settings } = options;
  const connections = new Connections(await loadDriver(), { ...settings, most, plansByIndex: true });
  const runner = new TransactionRunner(connections, undefined);
  try {
    await runner.run(async (tx) => {
      const exists = async () => (await tx.get("SELECT 1 FROM pg_namespace WHERE nspname = $1", schema)) !== undefined;
      if (await exists()) return;
      await waitUntilAlone(tx);
      if (await exists()) return;
      for (const statement of [`CREATE SCHEMA ${schema}`, ...tables(tx.dialect)]) await tx.run(statement);
    });
  } catch (error) {
    await connections.close();
    throw error;
  }
  return {
    write: (work) => runner.run(work),
    breakOff: () => connections.breakOff(),
    close: () => connections.close(),
  };
}
