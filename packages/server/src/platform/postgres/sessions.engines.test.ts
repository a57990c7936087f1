import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import { Connections } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import { PassedOver } from "./failures.ts";
import { openSession, Session } from "./sessions.ts";

let database: TestDatabase;
let url: string;
beforeEach(async () => {
  database = await takeDatabase();
  url = "url" in database.location ? database.location.url : "";
});
afterEach(() => database.release());

describe("a direct session", () => {
  let connections: Connections;
  let session: Session;
  beforeEach(async () => {
    connections = new Connections(pg, { url, most: 1, mustBeDirect: true, plansByIndex: true });
    session = await connections.take();
  });
  afterEach(async () => {
    connections.release(session, false);
    await connections.close();
  });

  it("keeps its time limits between statements", async () => {
    expect(session.isPooled).toBe(false);
    expect((await session.ask("SHOW lock_timeout")).rows).toEqual([{ lock_timeout: "5s" }]);
    expect((await session.ask("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "30s" }]);
  });

  it("plans to use indexes, whatever the current size of a table", async () => {
    await session.ask("CREATE TABLE items (id text PRIMARY KEY, value text)");
    await session.ask("ANALYZE items");
    const asked = "SELECT i.value FROM unnest(ARRAY['a', 'b']) AS w (id) JOIN items i ON i.id = w.id";
    const { rows } = await session.ask<{ "QUERY PLAN": string }>(`EXPLAIN ${asked}`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Nested Loop[\s\S]*items_pkey/);
    await session.ask("DROP TABLE items");
  });

  it("gives each statement of a turn its own answer", async () => {
    const texts = ["plain", 'a "quote"', "back\\slash", "{}", "", "NULL", null];
    const [numbers, list, none] = await Promise.all([
      session.ask("SELECT $1::bigint AS one, $2::text AS two, true AS three, 0.5::float8 AS four", [2 ** 53 - 1, null]),
      session.ask("SELECT x FROM unnest($1::text[]) AS x", [texts]),
      session.ask("SET LOCAL application_name = 'other'"),
    ]);
    expect(numbers).toEqual({
      rows: [{ one: 2 ** 53 - 1, two: null, three: 1, four: 0.5 }],
      rowCount: 1,
      command: "SELECT",
      warning: undefined,
    });
    expect(list.rows).toEqual(texts.map((x) => ({ x })));
    expect(none).toMatchObject({ rows: [], rowCount: 0, command: "SET" });
  });

  it("prepares each statement once, by name", async () => {
    const kept = async () =>
      (await session.ask<{ statement: string }>("SELECT statement FROM pg_prepared_statements")).rows.map(
        ({ statement }) => statement,
      );
    for (let times = 0; times < 3; times += 1) {
      expect((await session.ask("SELECT $1::bigint AS n", [times])).rows).toEqual([{ n: times }]);
    }
    expect((await kept()).filter((text) => text === "SELECT $1::bigint AS n")).toHaveLength(1);
  });

  it("rolls back statements sent before a failing one, skips those after it, and runs both when asked again", async () => {
    await session.ask("CREATE TEMPORARY TABLE kept (n integer)");
    const asked = [
      session.ask("INSERT INTO kept VALUES (1)"),
      session.ask("SELECT 1 / $1::int AS ratio", [0]),
      session.ask("SELECT 2 AS behind"),
    ];
    const [before, failed, behind] = await Promise.allSettled(asked);
    expect(before).toMatchObject({ status: "rejected", reason: expect.any(PassedOver) });
    expect((await session.ask("SELECT n FROM kept")).rows).toEqual([]);
    await session.ask("INSERT INTO kept VALUES (1)");
    expect((await session.ask("SELECT n FROM kept")).rows).toEqual([{ n: 1 }]);
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(behind).toMatchObject({ status: "rejected", reason: expect.any(PassedOver) });
    expect((await session.ask("SELECT 1 / $1::int AS ratio", [1])).rows).toEqual([{ ratio: 1 }]);
    expect((await session.ask("SELECT 2 AS behind")).rows).toEqual([{ behind: 2 }]);
  });

  it("queues statements while an answer is outstanding, and sends them when it has arrived", async () => {
    const first = session.ask("SELECT pg_sleep(0.05)");
    await new Promise((resolve) => setImmediate(resolve));
    const answers = await Promise.all([first, session.ask("SELECT 1 AS n"), session.ask("SELECT 2 AS n")]);
    expect(answers.slice(1).map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  });

  it("returns a warning with its statement", async () => {
    const answers = await Promise.all([
      session.ask("SELECT 1"),
      session.ask("DO $do$ BEGIN RAISE WARNING 'mind'; RAISE NOTICE 'never mind'; END $do$"),
      session.ask("SELECT 2"),
    ]);
    expect(answers.map(({ warning }) => warning)).toEqual([undefined, "01000", undefined]);
  });
});

it("connects to a database of any name", async () => {
  const name = `we ird#1/?%&${randomBytes(4).toString("hex")}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  const own = new URL(url);
  own.pathname = `/${encodeURIComponent(name)}`;
  const connections = new Connections(pg, { url: own.href, most: 1 });
  const session = await connections.take();
  expect((await session.ask("SELECT current_database() AS name")).rows).toEqual([{ name }]);
  connections.release(session, true);
  await connections.close();
  await admin.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  await admin.end();
});

it("a session is recognized as pooled if its greeting does not have the server's process id", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // as PgBouncer does
  Object.assign(client, { processID: 1_540_893_022 });
  const { session, takesWrites } = await openSession(client, { answerMs: 5_000, plansByIndex: true });
  expect(takesWrites).toBe(true);
  expect(session.isPooled).toBe(true);
  const limit = async () => (await session.ask<{ lock_timeout: string }>("SHOW lock_timeout")).rows[0]?.lock_timeout;
  expect(await limit()).toBe("0");
  await session.begin("BEGIN ISOLATION LEVEL REPEATABLE READ");
  expect(await limit()).toBe("5s");
  await session.ask("ROLLBACK");
  expect(await limit()).toBe("0");
  expect((await session.ask("SELECT 1 FROM pg_prepared_statements")).rows).toEqual([]);
  await client.end();
});

/** A session whose exchanges are never sent. */
function openUnconnected(): { session: Session; sent: Exchange[] } {
  const sent: Exchange[] = [];
  const client = Object.assign(new EventEmitter(), { query: (exchange: Exchange) => sent.push(exchange) });
  return { session: new Session(client as unknown as pg.Client, { isPooled: false, answerMs: 5_000 }), sent };
}

it.each([
  ["the connection is lost", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })],
  ["the server ends it", Object.assign(new Error("terminating"), { code: "57P01", severity: "FATAL" })],
])(
  "a session leaves in doubt the statements that completed before the server was ready again, if %s",
  async (_what, error) => {
    const { session, sent } = openUnconnected();
    const asked = [session.ask("INSERT INTO t VALUES (1)"), session.ask("INSERT INTO t VALUES (2)")];
    await new Promise((resolve) => setImmediate(resolve));
    // a server sends this if it crashes during a commit
    sent[0]?.handleCommandComplete({ text: "INSERT 0 1" });
    sent[0]?.handleError(error);
    expect(await Promise.allSettled(asked.slice(0, 1))).toEqual([{ status: "rejected", reason: error }]);
    const [second] = await Promise.allSettled(asked.slice(1));
    expect(second).toEqual({ status: "rejected", reason: error });
  },
);

it("a session has at most one exchange in flight, whatever the order of ticks", async () => {
  const { session, sent } = openUnconnected();
  const answer = (exchange: Exchange | undefined) => {
    exchange?.handleCommandComplete({ text: "SELECT 0" });
    exchange?.handleReadyForQuery();
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const asked = [session.ask("SELECT 1")];
  await turn();
  answer(sent[0]);
  process.nextTick(() => asked.push(session.ask("SELECT 3")));
  asked.push(session.ask("SELECT 2"));
  await turn();
  expect(sent).toHaveLength(2);
  answer(sent[1]);
  await turn();
  expect(sent).toHaveLength(3);
  answer(sent[2]);
  expect((await Promise.all(asked)).map(({ command }) => command)).toEqual(["SELECT", "SELECT", "SELECT"]);
});
