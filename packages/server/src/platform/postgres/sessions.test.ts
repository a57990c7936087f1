import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import { Connections } from "./connections.ts";
import { beginning, isPooled, nameStatement, openSession } from "./sessions.ts";

let database: TestDatabase;
let url: string;
beforeEach(async () => {
  database = await takeDatabase();
  url = "url" in database.location ? database.location.url : "";
});
afterEach(() => database.release());

it("a connection to the server itself keeps statements by name, and the limits", async () => {
  const connections = new Connections(pg, { url, most: 1, mustBeDirect: true });
  const client = await connections.take();
  expect(isPooled(client)).toBe(false);
  expect(nameStatement(client, "SELECT 1")).toMatchObject({ text: "SELECT 1", name: expect.any(String) });
  expect(beginning(client)).toBe("BEGIN");
  expect((await client.query("SHOW lock_timeout")).rows).toEqual([{ lock_timeout: "5s" }]);
  expect((await client.query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "30s" }]);
  connections.release(client, false);
  await connections.close();
});

it("a connection for those who stay plans by index, whatever a table has at the time", async () => {
  const connections = new Connections(pg, { url, most: 1, plansByIndex: true });
  const client = await connections.take();
  await client.query("CREATE TABLE items (id text PRIMARY KEY, value text); ANALYZE items");
  const asked = "SELECT i.value FROM unnest(ARRAY['a', 'b']) AS w (id) JOIN items i ON i.id = w.id";
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${asked}`);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Nested Loop[\s\S]*items_pkey/);
  await client.query("DROP TABLE items");
  connections.release(client, false);
  await connections.close();
});

it("a connection that was greeted with another number than the server's leads to a pooler", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // as PgBouncer greets
  Object.assign(client, { processID: 1_540_893_022 });
  expect(await openSession(client, { plansByIndex: true })).toEqual({ takesWrites: true });
  expect(isPooled(client)).toBe(true);
  expect(nameStatement(client, "SELECT 1")).toEqual({ text: "SELECT 1" });
  const limit = async () => (await client.query("SHOW lock_timeout")).rows[0].lock_timeout;
  expect(await limit()).toBe("0");
  await client.query(beginning(client, "BEGIN ISOLATION LEVEL REPEATABLE READ"));
  expect(await limit()).toBe("5s");
  await client.query("ROLLBACK");
  expect(await limit()).toBe("0");
  await client.end();
});
