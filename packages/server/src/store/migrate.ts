// The migrations, and the code that runs those that a database lacks.

import type { Dialect, Migration } from "./statement.ts";
import type { Transaction } from "./store.ts";
import { tables } from "./tables/tables.ts";

/** Every migration, from an empty database to the tables that this build reads and writes. */
export const migrations: readonly Migration[] = [tables];

/** The version that this build reads and writes. */
export const newestVersion = newestOf(migrations);

function newestOf(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 0;
}

/** Whether the tables are older than, as old as, or newer than those of this build. */
export type TablesAge = "older" | "current" | "newer";

/** Thrown for a database whose tables were made by a development build, not by a release. */
export class UnreleasedTables extends Error {
  override readonly name = "UnreleasedTables";

  constructor() {
    super(
      "the tables of the database were made by a development build of msgd, before its first release, and no release reads them. Nothing was changed: point --data or DATABASE_URL at a new place, or go on with the build that made them",
    );
  }
}

/**
 * Migrates the tables to the newest version in the caller's transaction; indexes that are built concurrently follow
 * later. Returns the migrations that were run. Throws, and changes nothing, if the database was written by a newer build,
 * belongs to another program or has `UnreleasedTables`.
 */
export async function migrate(tx: Transaction, now: number, steps = migrations): Promise<Migration[]> {
  const { int64, text, tableOptions } = tx.dialect;
  await tx.run(
    `CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name ${text} NOT NULL, applied_at ${int64} NOT NULL) ${tableOptions}`,
  );
  if (tx.dialect.engine === "postgres") await requireOwnRecord(tx);
  const current = (await readVersion(tx)) ?? 0;
  const newest = newestOf(steps);
  if (current > newest) {
    throw new Error(
      `the database is at version ${current}, and this msgd knows versions up to ${newest}: run the newer msgd, or point --data at another folder`,
    );
  }
  const missing = steps.filter(({ version }) => version > current);
  for (const migration of missing) {
    for (const statement of migration.statements(tx.dialect)) await tx.run(statement);
    if (tx.dialect.engine === "sqlite") {
      for (const { name, on } of migration.indexes ?? []) await tx.run(`CREATE INDEX ${name} ON ${on}`);
    }
    await tx.run(
      "INSERT INTO migrations (version, name, applied_at) VALUES ($1, $2, $3)",
      migration.version,
      migration.name,
      now,
    );
  }
  return missing;
}

/** Returns the age of the tables by their record of migrations; undefined if it is empty. May throw `UnreleasedTables`. */
export async function findAge(tx: Transaction, steps = migrations): Promise<TablesAge | undefined> {
  const version = await readVersion(tx);
  if (version === undefined) return undefined;
  const newest = newestOf(steps);
  if (version === newest) return "current";
  return version < newest ? "older" : "newer";
}

async function readVersion(tx: Transaction): Promise<number | undefined> {
  const taken = await tx.all<{ version: number; name: string }>(
    "SELECT version, name FROM migrations ORDER BY version",
  );
  const [first] = taken;
  if (first !== undefined && (first.version !== tables.version || first.name !== tables.name)) {
    throw new UnreleasedTables();
  }
  return taken.at(-1)?.version;
}

/** Throws if the table `migrations` belongs to another program; some programs have a table of this name. */
async function requireOwnRecord(tx: Transaction): Promise<void> {
  const columns = await tx.all<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = (SELECT oid FROM pg_class WHERE relname = 'migrations' AND relnamespace = current_schema()::regnamespace)
        AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const names = columns.map(({ name }) => name).join(", ");
  if (names === "version, name, applied_at") return;
  throw new Error(
    `the database belongs to another program: its table "migrations" has the columns ${names}. Create a database for msgd (createdb), and name it in DATABASE_URL`,
  );
}

/** The tables that the migrations create and do not drop, in order. */
export function listTables(dialect: Dialect): string[] {
  const statements = migrations.flatMap((migration) => migration.statements(dialect));
  const named = (words: RegExp) => statements.flatMap((statement) => words.exec(statement)?.[1] ?? []);
  const dropped = new Set(named(/^\s*DROP TABLE (\w+)/));
  return named(/^\s*CREATE TABLE (\w+)/).filter((table) => !dropped.has(table));
}

/** 128 kB: more than a send writes. So if the disk has too little space for a send, the check fails, too. */
const FILLING_REPEATS = 8_192;

/** Time after the last check of an instance at which its row is removed. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;

export interface WriteCheck {
  /** Unique to the instance. If an instance hangs while it holds the lock of its row, it does not block other instances. */
  readonly checkId: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Checks whether the database accepts writes: writes a row as large as those of requests. */
export async function checkWrite(tx: Transaction, { checkId, now }: WriteCheck): Promise<void> {
  // every page differs from the previous check's, because an unchanged page would not be written
  const filling = String(now).padEnd(16).repeat(FILLING_REPEATS);
  await tx.run(
    `INSERT INTO write_checks (check_id, checked_at, filling) VALUES ($1, $2, $3)
     ON CONFLICT (check_id) DO UPDATE SET checked_at = $2, filling = $3`,
    checkId,
    now,
    filling,
  );
  // also removes rows dated in the future, which were written while the clock was ahead
  await tx.run(
    "DELETE FROM write_checks WHERE checked_at < $1 OR checked_at > $2",
    now - FORGOTTEN_MS,
    now + FORGOTTEN_MS,
  );
}
