import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { ReadOnlyByDefault } from "../../platform/postgres/connections.ts";
import { type TestDatabase, takeDatabase, takeUnusedDatabase } from "../../testing/engine.ts";
import { findPooler, NO_POOLER, type Pooler, startPooler } from "../../testing/postgres/pooler.ts";
import { migrations, newestVersion } from "../migrate.ts";
import type { Migration } from "../statement.ts";
import { migratePostgres } from "./postgres-store.ts";

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
  // the database is reused like any other
  await revert();
  await database.release();
});

const later: Migration = {
  version: newestVersion + 1,
  name: "later",
  statements: () => ["ALTER TABLE messages ADD COLUMN later bigint NOT NULL DEFAULT 0"],
  indexes: [{ name: "messages_later", on: "messages (later)" }],
};
const steps = [...migrations, later];

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

it("the first of several processes runs a migration and builds its indexes", async () => {
  const taken = await Promise.all([migratePostgres(url, 0, steps), migratePostgres(url, 0, steps)]);
  expect(taken.flat().map(({ name }) => name)).toEqual(["later"]);
  expect(await findIndex()).toEqual([{ indisvalid: true }]);
  expect(await migratePostgres(url, 0, steps)).toEqual([]);
});

it("an index whose build was interrupted is rebuilt", async () => {
  await migratePostgres(url, 0, steps);
  await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'messages_later'::regclass");
  expect(await migratePostgres(url, 0, steps)).toEqual([]);
  expect(await findIndex()).toEqual([{ indisvalid: true }]);
});

it("the index build of a process that has ended is awaited, and its index is kept", async () => {
  await migratePostgres(url, 0, steps);
  const before = await client.query("SELECT 'messages_later'::regclass::oid AS oid");
  await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'messages_later'::regclass");
  const orphan = new pg.Client(url);
  await orphan.connect();
  // the same lock as the server takes during a build
  await orphan.query("BEGIN; LOCK TABLE messages IN SHARE UPDATE EXCLUSIVE MODE");
  const migrated = migratePostgres(url, 0, steps);
  await expect.poll(isMessagesAwaited).toBe(true);
  await orphan.query("UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'messages_later'::regclass; COMMIT");
  await orphan.end();
  await migrated;
  expect((await client.query("SELECT 'messages_later'::regclass::oid AS oid")).rows).toEqual(before.rows);
});

/** Returns whether a statement waits for a lock of the table of messages. */
async function isMessagesAwaited(): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'messages'::regclass");
  return rows.length > 0;
}

/** Runs `work` on a new database that is not reused, with a connection to it. */
async function onOwn(work: (own: string, other: pg.Client) => Promise<void>): Promise<void> {
  const unused = await takeUnusedDatabase();
  const own = "url" in unused.location ? unused.location.url : "";
  const other = new pg.Client(own);
  await other.connect();
  try {
    await work(own, other);
  } finally {
    await other.end();
    await unused.release();
  }
}
const setDefault = (setting: string) =>
  `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`;

it("indexes are built on servers that default to serializable transactions", async () => {
  await onOwn(async (own, other) => {
    await other.query(setDefault("default_transaction_isolation = serializable"));
    expect(await migratePostgres(own, 0, steps)).toHaveLength(1);
    expect(await migratePostgres(own, 0, steps)).toEqual([]);
  });
});

it.each(["LATIN1", "SQL_ASCII"])(
  "a database with the encoding %s is refused before a table is created",
  async (encoding) => {
    const name = `msgctl_encoding_${randomBytes(4).toString("hex")}`;
    await client.query(`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
    const own = new URL(url);
    own.pathname = `/${name}`;
    await expect(migratePostgres(own.href, 0)).rejects.toThrow(
      `the encoding of the database is ${encoding}, which cannot store some messages: create a database with createdb --encoding=UTF8`,
    );
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  },
);

it("a database without a schema for tables is refused, with an error that names the search_path", async () => {
  await onOwn(async (own, other) => {
    await other.query(setDefault("search_path = nowhere"));
    await expect(migratePostgres(own, 0)).rejects.toThrow(
      "the search_path is nowhere, and the role may use none of its",
    );
  });
});

it("a role whose transactions are read-only is refused, with an error that does not call the server a standby", async () => {
  await onOwn(async (own, other) => {
    await other.query(setDefault("default_transaction_read_only = on"));
    await expect(migratePostgres(own, 0)).rejects.toHaveProperty("cause", expect.any(ReadOnlyByDefault));
  });
});

const program = findPooler();
if (program === undefined) console.warn(`Skipped: steps through a pooler. There is ${NO_POOLER}`);

describe.skipIf(program === undefined)("a migration through a pooler", () => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await startPooler(program ?? "", inject("postgres")?.serverUrl ?? "", { most: 2 });
  });
  afterAll(() => pooler.stop());

  it("creates the tables of an empty database, with all indexes", async () => {
    await onOwn(async (own, other) => {
      await other.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
      expect((await migratePostgres(pooler.urlOf(own), 0, steps)).at(-1)?.version).toBe(later.version);
      const { rows } = await other.query(
        "SELECT relname AS name FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid WHERE indisvalid",
      );
      expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(["messages_later", "dispatches_due"]));
    });
  });

  it("is run once, with its indexes, by the first of several processes", async () => {
    const pooled = pooler.urlOf(url);
    const taken = await Promise.all([migratePostgres(pooled, 0, steps), migratePostgres(url, 0, steps)]);
    expect(taken.flat().map(({ name }) => name)).toEqual(["later"]);
    expect(await findIndex()).toEqual([{ indisvalid: true }]);
  });

  it("says what to do if the server cancels the build of an index", async () => {
    await onOwn(async (own, other) => {
      await other.query(
        `CREATE FUNCTION slowly(integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql
           AS $$ BEGIN PERFORM pg_sleep(60); RETURN $1; END $$;
         ${setDefault("statement_timeout = 500")}`,
      );
      const slow = { ...later, indexes: [{ name: "migrations_slowly", on: "migrations (slowly(version))" }] };
      const withSlow = [...steps.slice(0, -1), slow];
      const words =
        "ended the build of the index migrations_slowly: run msgd migrate with DATABASE_URL set to the address of PostgreSQL itself";
      await expect(migratePostgres(pooler.urlOf(own), 0, withSlow)).rejects.toThrow(words);
    });
  });
});

it("tables of a newer build are refused", async () => {
  await migratePostgres(url, 0, steps);
  await expect(migratePostgres(url, 0)).rejects.toThrow(
    `the database is at version ${newestVersion + 1}, and this msgd knows versions up to ${newestVersion}`,
  );
});

it("a migration that waits for a table in use blocks nobody for long, and continues when the table is free", async () => {
  const reader = new pg.Client(url);
  await reader.connect();
  await reader.query("BEGIN; SELECT 1 FROM messages");
  const migrated = migratePostgres(url, 0, steps);
  await expect.poll(isMessagesAwaited).toBe(true);
  // this statement waits behind the migration until that gives up its lock request
  await client.query("SELECT 1 FROM messages");
  await reader.end();
  expect((await migrated).map(({ name }) => name)).toEqual(["later"]);
});
