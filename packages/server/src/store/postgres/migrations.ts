// Migrates the tables of a database while other instances may serve it. Only one instance migrates at a time. It waits
// for a lock only briefly, because writes queue up behind a waiting lock request. It builds indexes concurrently with
// writes.

import type { SessionPool } from "../../platform/postgres/connections.ts";
import { codeOf } from "../../platform/postgres/failures.ts";
import { stayIdleStatement, waitBrieflyStatement } from "../../platform/postgres/limits.ts";
import { migrate } from "../migrate.ts";
import type { Index, Migration } from "../statement.ts";
import { RowBusy, type Transaction } from "../store.ts";
import { type StorePorts, systemPorts, TransactionRunner } from "./connection.ts";

/**
 * Number of attempts at a migration whose table is in use, and the pause between them: five minutes, lock waits included.
 */
const MOST_TRIES = 100;
const PAUSE_MS = 1_000;

/** Key of the advisory lock of an instance that migrates. */
const MIGRATION_LOCK = 4_800_026;
/** Key of the advisory lock of an instance that builds indexes. */
const INDEX_LOCK = 4_800_027;

/** PostgreSQL's error code for a statement that exceeded `statement_timeout`. */
const STATEMENT_CUT_SHORT = "57014";

/**
 * Migrates the tables of a database over two connections, which may go through a pooler. Waits while another process
 * migrates. Returns the migrations that were run. Throws `RowBusy` if a table stayed locked for minutes.
 */
export async function migrateThrough(
  connections: SessionPool,
  now: number,
  steps: readonly Migration[],
  ports: StorePorts = systemPorts,
): Promise<Migration[]> {
  const runner = new TransactionRunner(connections, undefined, ports);
  const pause = () => new Promise<void>((resolve) => ports.clock.after(PAUSE_MS, resolve));
  const taken = await takeSteps(() => runner.runUnbounded((tx) => migrateAlone(tx, now, steps)), pause);
  const wanted = steps.flatMap(({ indexes = [] }) => indexes);
  const missing = wanted.length === 0 ? [] : await runner.run((tx) => findMissing(tx, wanted));
  if (missing.length > 0) {
    await aloneWithIndexes(connections, pause, async () => {
      for (const index of missing) await buildIndex(connections, runner, index);
    });
  }
  return taken;
}

async function takeSteps(run: () => Promise<Migration[]>, pause: () => Promise<void>): Promise<Migration[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof RowBusy)) throw error;
      await pause();
    }
  }
}

async function migrateAlone(tx: Transaction, now: number, steps: readonly Migration[]): Promise<Migration[]> {
  await waitUntilAlone(tx);
  await requireSuited(tx);
  // while a migration waits for a table, writers wait behind it
  await tx.run(waitBrieflyStatement);
  return migrate(tx, now, steps);
}

/** Throws if the database cannot store every character, or has no schema in which tables could be created. */
async function requireSuited(tx: Transaction): Promise<void> {
  const found = await tx.get<{ encoding: string; schema: string | null; path: string }>(
    `SELECT current_setting('server_encoding') AS encoding, current_schema() AS schema, current_setting('search_path') AS path`,
  );
  if (found === undefined) throw new Error("the settings of the database came back empty");
  const { encoding, schema, path } = found;
  if (encoding !== "UTF8") {
    throw new Error(
      `the encoding of the database is ${encoding}, which cannot store some messages: create a database with createdb --encoding=UTF8 --template=template0, and name it in DATABASE_URL`,
    );
  }
  if (schema !== null) return;
  throw new Error(
    `there is no schema for tables: the search_path is ${path}, and the role may use none of its schemas, or none exists. Run CREATE SCHEMA, or set the search_path of the role or the database to an existing schema`,
  );
}

/** Waits, without a time limit, until no other instance migrates. */
export async function waitUntilAlone(tx: Transaction): Promise<void> {
  await waitWithoutEnd(tx);
  await tx.get("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK);
}

async function waitWithoutEnd(tx: Transaction): Promise<void> {
  await tx.run("SET LOCAL statement_timeout = 0");
  await tx.run("SET LOCAL lock_timeout = 0");
}

/** Runs `work` while no other instance builds indexes. A transaction holds the lock: a pooler may switch sessions after it. */
async function aloneWithIndexes(
  connections: SessionPool,
  pause: () => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  const session = await connections.take();
  try {
    for (;;) {
      await session.begin("BEGIN ISOLATION LEVEL READ COMMITTED");
      const { rows } = await session.ask("SELECT 1 WHERE pg_try_advisory_xact_lock($1)", [INDEX_LOCK]);
      // a query's snapshot lasts until the next statement, and an index build would wait for it
      await session.ask(stayIdleStatement);
      if (rows.length > 0) return await work();
      await session.ask("ROLLBACK");
      await pause();
    }
  } finally {
    // closing the connection releases the lock
    connections.release(session, true);
  }
}

/** Builds an index that is missing or half built, unless another process has built it meanwhile. */
async function buildIndex(connections: SessionPool, runner: TransactionRunner, index: Index): Promise<void> {
  const { name, on } = index;
  const [table] = on.split(" ", 1);
  // if a process is killed, the server completes the build that it started; the table lock waits for that
  const isMissing = await runner.runUnbounded(async (tx) => {
    await waitWithoutEnd(tx);
    await tx.run(`LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
    return (await findMissing(tx, [index])).length > 0;
  });
  if (!isMissing) return;
  const session = await connections.take();
  try {
    // neither statement may run in a transaction, and through a pooler settings last only for a transaction
    if (!session.isPooled)
      for (const limit of ["statement_timeout", "lock_timeout"]) await session.ask(`SET ${limit} = 0`);
    await session.ask(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await session.ask(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
  } catch (error) {
    if (!session.isPooled || codeOf(error) !== STATEMENT_CUT_SHORT) throw error;
    throw new Error(
      `the statement_timeout of the database's server, which cannot be lifted through a pooler, ended the build of the index ${name}: run msgd migrate with DATABASE_URL set to the address of PostgreSQL itself`,
    );
  } finally {
    // closing the connection discards the changed limits
    connections.release(session, true);
  }
}

async function findMissing(tx: Transaction, wanted: readonly Index[]): Promise<Index[]> {
  const rows = await tx.all<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
      WHERE relnamespace = current_schema()::regnamespace AND indisvalid AND indisready`,
  );
  const valid = new Set(rows.map(({ name }) => name));
  return wanted.filter(({ name }) => !valid.has(name));
}
