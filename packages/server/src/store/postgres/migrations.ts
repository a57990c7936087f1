// Brings the tables of a database up to date while other instances may serve it: one instance at a time, no lock waited
// for so long that those who write queue up behind it, and indexes built beside them.

import type { SessionPool } from "../../platform/postgres/connections.ts";
import { waitBrieflyStatement } from "../../platform/postgres/limits.ts";
import type { Index, Migration } from "../dialect.ts";
import { migrate } from "../migrations/migrate.ts";
import { RowBusy, type Transaction } from "../store.ts";
import { PostgresConnection } from "./connection.ts";
import { type StorePorts, systemPorts } from "./ports.ts";
import { Units } from "./units.ts";

/** How often a step is tried that finds a table in use, and the pause in between: five minutes with its waits. */
const MOST_TRIES = 100;
const PAUSE_MS = 1_000;

/** Any number, the same for all that migrate a database of msgd's. */
const MIGRATION_LOCK = 4_800_026;
/** The same for those that build indexes. */
const INDEX_LOCK = 4_800_027;

/** How whoever migrates reaches the database. */
export interface MigrationPools {
  readonly connections: SessionPool;
  /** Connects past any pooler: what a session holds is then held until it ends. */
  readonly connectDirectly: () => SessionPool;
}

/**
 * Migrates the tables of a database, and closes what it connects directly; waits for whoever does so already. Returns the
 * steps taken. Throws `RowBusy` if somebody has used a table without a break for minutes.
 */
export async function migrateThrough(
  pools: MigrationPools,
  now: number,
  steps: readonly Migration[],
  ports: StorePorts = systemPorts,
): Promise<Migration[]> {
  const units = new Units(pools.connections, undefined, ports);
  const pause = () => new Promise<void>((resolve) => ports.clock.after(PAUSE_MS, resolve));
  const taken = await takeSteps(() => units.runUnbounded((tx) => migrateAlone(tx, now, steps)), pause);
  const wanted = steps.flatMap(({ indexes = [] }) => indexes);
  const missing = wanted.length === 0 ? [] : await units.run((tx) => findMissing(tx, wanted));
  if (missing.length > 0) await buildIndexes(pools.connectDirectly(), missing, pause);
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
  // whoever writes waits behind a step that waits for a table
  await tx.run(waitBrieflyStatement);
  return migrate(tx, now, steps);
}

/** Waits until no other instance migrates. A step may take longer than any other statement. */
export async function waitUntilAlone(tx: Transaction): Promise<void> {
  await tx.run("SET LOCAL statement_timeout = 0");
  await tx.run("SET LOCAL lock_timeout = 0");
  await tx.get("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK);
}

/** Builds what is not there, or was left half built; others may have built it by its turn. */
async function buildIndexes(direct: SessionPool, wanted: readonly Index[], pause: () => Promise<void>): Promise<void> {
  try {
    const session = await direct.take();
    const tx = new PostgresConnection(session);
    try {
      for (const limit of ["statement_timeout", "lock_timeout"]) await tx.run(`SET ${limit} = 0`);
      // no statement may wait for it: whoever builds an index waits for all statements that began before
      while ((await tx.get("SELECT 1 WHERE pg_try_advisory_lock($1)", INDEX_LOCK)) === undefined) await pause();
      for (const { name, on } of await findMissing(tx, wanted)) {
        await tx.run(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
        await tx.run(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
      }
    } finally {
      // its lock and its limits end with it
      direct.release(session, true);
    }
  } finally {
    await direct.close();
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
