import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import type { Migration } from "../dialect.ts";
import { newestVersion, stepsOf } from "../migrations/migrate.ts";
import { postgresDialect } from "./connection.ts";
import { migratePostgres } from "./migrate-database.ts";

let database: TestDatabase;
let url: string;
let client: pg.Client;
beforeEach(async () => {
  database = await takeDatabase();
  url = "url" in database.location ? database.location.url : "";
  client = new pg.Client(url);
  await client.connect();
  await migratePostgres(url, 0);
});
afterEach(async () => {
  await client.end();
  // it is lent again: as every other
  await revert();
  await database.release();
});

const later: Migration = {
  version: newestVersion + 1,
  name: "later",
  statements: () => ["ALTER TABLE messages ADD COLUMN later bigint NOT NULL DEFAULT 0"],
  indexes: [{ name: "messages_later", on: "messages (later)" }],
};
const steps = [...stepsOf(postgresDialect), later];

async function revert(): Promise<void> {
  const other = new pg.Client(url);
  await other.connect();
  await other.query(
    `ALTER TABLE messages DROP COLUMN IF EXISTS later; DELETE FROM migrations WHERE version > ${newestVersion}`,
  );
  await other.end();
}
const findIndex = async () =>
  (await client.query("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('messages_later')")).rows;

it("takes a step and builds its indexes, by whichever of several comes first", async () => {
  const taken = await Promise.all([migratePostgres(url, 0, steps), migratePostgres(url, 0, steps)]);
  expect(taken.flat().map(({ name }) => name)).toEqual(["later"]);
  expect(await findIndex()).toEqual([{ indisvalid: true }]);
  expect(await migratePostgres(url, 0, steps)).toEqual([]);
});

it("builds an index again whose making was cut short", async () => {
  await migratePostgres(url, 0, steps);
  await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'messages_later'::regclass");
  expect(await migratePostgres(url, 0, steps)).toEqual([]);
  expect(await findIndex()).toEqual([{ indisvalid: true }]);
});

it("refuses tables of a newer build", async () => {
  await migratePostgres(url, 0, steps);
  await expect(migratePostgres(url, 0)).rejects.toThrow(
    `the database is at version ${newestVersion + 1}, and this msgd knows versions up to ${newestVersion}`,
  );
});

it("holds nobody up for long while it waits for a table in use, and goes on when it is free", async () => {
  const reader = new pg.Client(url);
  await reader.connect();
  await reader.query("BEGIN; SELECT 1 FROM messages");
  const migrated = migratePostgres(url, 0, steps);
  await vi.waitFor(async () => {
    const { rows } = await client.query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'messages'::regclass");
    expect(rows).not.toEqual([]);
  });
  // it queues up behind the step, until that gives way
  await client.query("SELECT 1 FROM messages");
  await reader.end();
  expect((await migrated).map(({ name }) => name)).toEqual(["later"]);
});
