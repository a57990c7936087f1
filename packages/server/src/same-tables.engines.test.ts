// Both engines have the same tables, and PostgreSQL compares text by its bytes, as SQLite does.

import { afterAll, beforeAll, expect, it } from "vitest";
import type { Store } from "./store/store.ts";
import { takeDatabase } from "./testing/engine.ts";
import { openStoreAt } from "./testing/test-store.ts";

/** Columns that only PostgreSQL has, for rows that change often: see store/counters/. */
const leftOnPostgres = [
  ...["callback_lanes.due_from", "callback_lanes.version", "callback_tenants.due_from", "callback_tenants.version"],
  ...["daily_totals.changes", "daily_totals.generation", "usage.changes", "usage.generation"],
];
/** Tables of SQLite itself. */
const ownOfSqlite = /^sqlite_/;
/** PostgreSQL's queue of accepted messages, tables that instances share, and the simulated carrier's ledger. */
const ownOfPostgres = /^(?:outbox|unknown_messages|installation|simulated_\w+)$/;

let sqlite: Store;
let postgres: Store;
let release: () => Promise<void>;

beforeAll(async () => {
  const now = () => 0;
  const taken = await takeDatabase();
  release = taken.release;
  sqlite = await openStoreAt({ file: ":memory:" }, { now });
  postgres = await openStoreAt(taken.location, { now });
});
afterAll(async () => {
  await Promise.all([sqlite.close(), postgres.close()]);
  await release();
});

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isNullable: 0 | 1;
}

function describeColumns(columns: readonly Column[], own: RegExp): string[] {
  const types: Readonly<Record<string, string>> = {
    INTEGER: "number",
    bigint: "number",
    integer: "number",
    TEXT: "text",
  };
  return columns
    .filter(({ table }) => !own.test(table))
    .map(
      ({ table, name, type, isNullable }) => `${table}.${name}: ${types[type] ?? type}${isNullable ? " or null" : ""}`,
    )
    .sort();
}

it("both engines have the same tables, columns and nullability", async () => {
  const onSqlite = await sqlite.read((tx) =>
    tx.all<Column>(
      `SELECT t.name AS "table", c.name, c.type, CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN 0 ELSE 1 END AS "isNullable"
         FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
    ),
  );
  const onPostgres = await postgres.read((tx) =>
    tx.all<Column>(
      `SELECT table_name AS "table", column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable"
         FROM information_schema.columns WHERE table_schema = current_schema()`,
    ),
  );
  const [one, other] = [describeColumns(onSqlite, ownOfSqlite), describeColumns(onPostgres, ownOfPostgres)];
  expect(one.length).toBeGreaterThan(200);
  expect(one.filter((column) => !other.includes(column))).toEqual([]);
  expect(other.filter((column) => !one.includes(column))).toEqual(leftOnPostgres.map((name) => `${name}: number`));
});

it("every text column of PostgreSQL compares by bytes", async () => {
  const columns = await postgres.read((tx) =>
    tx.all<{ column: string; collation: string }>(
      `SELECT r.relname || '.' || a.attname AS column, c.collname AS collation
         FROM pg_attribute a
         JOIN pg_class r ON r.oid = a.attrelid AND r.relkind IN ('r', 'p', 'i')
         JOIN pg_collation c ON c.oid = a.attcollation
        WHERE r.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`,
    ),
  );
  expect(columns.length).toBeGreaterThan(100);
  expect(columns.filter(({ collation }) => collation !== "C")).toEqual([]);
});
