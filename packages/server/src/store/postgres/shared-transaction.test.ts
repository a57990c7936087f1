import type { Duplex } from "node:stream";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSession, type Session } from "../../platform/postgres/sessions.ts";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import { openStoreAt } from "../../testing/test-store.ts";
import { addToDay } from "../daily-totals.ts";
import { insertLongContentStatement } from "../messages.ts";
import { CommitInDoubt, type Store, type Work } from "../store.ts";
import { SharedTransaction, SpoiledGroup } from "./shared-transaction.ts";
import { commit } from "./units.ts";

let database: TestDatabase;
let store: Store;
let client: pg.Client;
let session: Session;
beforeEach(async () => {
  database = await takeDatabase();
  store = await openStoreAt(database.location, { now: Date.now });
  client = new pg.Client({ connectionString: "url" in database.location ? database.location.url : "" });
  client.on("error", () => {});
  await client.connect();
  ({ session } = await openSession(client, { answerMs: 5_000, plansByIndex: false }));
});
afterEach(async () => {
  await client.end();
  await store.close();
  await database.release();
});

const count: Work<void> = (tx) =>
  addToDay(
    tx,
    { tenantId: 1, channel: "SMS", day: "2026-11-23" },
    { units: 1, providerCostMicros: 1, markupMicros: 1 },
  );
const cut = () => (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();

it("is in doubt where the connection is lost under what it wrote and its commit", async () => {
  const shared = new SharedTransaction(session, () => {
    const committed = commit(session);
    process.nextTick(cut);
    return committed;
  });
  await expect(shared.run([count, count])).rejects.toThrow(CommitInDoubt);
});

it("is spoilt where a write fails that was sent with the commit", async () => {
  const keep: Work<number> = (tx) => tx.run(insertLongContentStatement, "msg_1", "a long text");
  const shared = new SharedTransaction(session, () => commit(session));
  const failed = await shared.run([keep, keep]).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(SpoiledGroup);
  expect(failed).toMatchObject({ cause: { code: "23505" } });
  await session.ask("ROLLBACK");
});

it("is spoilt where a question fails: it takes along what was asked with it", async () => {
  const shared = new SharedTransaction(session, () => commit(session));
  const failed = await shared
    .run([(tx) => tx.get("SELECT 1 / 0 AS none"), (tx) => tx.get("SELECT 1 AS one")])
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "SpoiledGroup", cause: { code: "22012" } });
});
