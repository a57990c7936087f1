import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import { openTransferTarget } from "../postgres/database.ts";
import { openTransferSource } from "../sqlite/database-file.ts";
import { migrateDatabase } from "../sqlite/sqlite-store.ts";
import {
  compareRows,
  copyRows,
  type Progress,
  planCopies,
  requireEmptyTables,
  type StandIns,
  standIns,
  type TransferSource,
  type TransferTarget,
} from "./transfer.ts";

/** More rows than one page. */
const ROWS = 2_001;

let folder: string;
let database: TestDatabase;
let source: TransferSource;
let target: TransferTarget;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-rows-"));
  database = await takeDatabase();
  if (!("url" in database.location)) throw new Error("the target is a PostgreSQL");
  const path = join(folder, "source.db");
  await migrateDatabase(path, 0);
  source = await openTransferSource(path, undefined);
  target = await openTransferTarget(database.location.url);
  await source.tx.run(
    `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${ROWS})
     INSERT INTO provider_events (provider, event_id, received_at) SELECT 'p' || (n % 2), 'e' || n, n FROM counted`,
  );
});
afterEach(async () => {
  await source.abandon();
  await target.abandon();
  await database.release();
  rmSync(folder, { recursive: true });
});

const progress: Progress[] = [];
async function copy(more: StandIns = {}) {
  progress.length = 0;
  const copies = await planCopies(source, target, { ...standIns, ...more });
  const ends = { source, target };
  const counts = await copyRows(ends, copies, (made) => progress.push(made));
  return { counts, compare: () => compareRows(ends, copies, (made) => progress.push(made)) };
}

it("rows are copied page by page, and a comparison then finds no difference", async () => {
  const { counts, compare } = await copy();
  expect(counts.filter(({ rows }) => rows > 0)).toEqual([{ table: "provider_events", rows: ROWS }]);
  await compare();
  expect(progress.map(({ phase, rows }) => [phase, rows])).toEqual([
    ["copied", 2_000],
    ["copied", ROWS],
    ["compared", 2_000],
    ["compared", ROWS],
  ]);
});

const last = "provider = 'p1' AND event_id = 'e999'";
it.each([
  [
    "a different value",
    `UPDATE provider_events SET received_at = -1 WHERE ${last}`,
    "is not the same at both ends: its received_at",
  ],
  ["a missing row", `DELETE FROM provider_events WHERE ${last}`, "is at the source only"],
  [
    "an extra row",
    "INSERT INTO provider_events VALUES ('p2', 'e0', 0)",
    "(provider p2, event_id e0) is at the target only",
  ],
  [
    "an empty table",
    "DELETE FROM provider_events",
    "provider_events (provider p0, event_id e10) is at the source only",
  ],
])("a comparison reports %s", async (_what, change, words) => {
  const { compare } = await copy();
  await target.tx.run(change);
  await expect(compare()).rejects.toThrow(words);
});

it("a table's rows are read from its stand-in query, and a table that the target lacks is reported", async () => {
  const standIn = { select: "SELECT event_id AS message_id FROM provider_events WHERE received_at <= 3" };
  const { counts, compare } = await copy({ doubts: standIn });
  expect(counts.filter(({ rows }) => rows > 0)).toEqual([
    { table: "provider_events", rows: ROWS },
    { table: "doubts", rows: 3 },
  ]);
  await compare();
  await source.tx.run("CREATE TABLE extra (id INTEGER)");
  const more = { ...source, tables: [...source.tables, "extra"] };
  await expect(planCopies(more, target, standIns)).rejects.toThrow("the target has no table extra");
});

it("a column that the target lacks is refused unless it is empty", async () => {
  await target.tx.run("DROP INDEX provider_events_over");
  await target.tx.run("ALTER TABLE provider_events DROP COLUMN received_at");
  await expect(copy()).rejects.toThrow("the target has no column received_at in provider_events");
});

it("a target that has rows is refused", async () => {
  await requireEmptyTables(target);
  await copy();
  await expect(requireEmptyTables(target)).rejects.toThrow("its table provider_events has rows");
});

it("a number that the other end would round is refused", async () => {
  await source.tx.run(`UPDATE provider_events SET received_at = 9007199254740993 WHERE ${last}`);
  await expect(copy()).rejects.toThrow("(provider p1, event_id e999) has a number beyond 2^53 - 1 as its received_at");
});
