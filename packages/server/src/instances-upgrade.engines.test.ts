// Instances of two versions on one database: a newer one migrates the tables while older ones serve.

import { afterEach, beforeEach, expect, it } from "vitest";
import type { Service } from "./service.ts";
import { migrations, newestVersion } from "./store/migrate.ts";
import { migratePostgres } from "./store/postgres/postgres-store.ts";
import type { Migration } from "./store/statement.ts";
import { type PlacedData, placeRecorded, recordedVersions } from "./testing/recorded-data.ts";
import { createReceivers, type OpenedWorld, openWorld } from "./testing/recorded-world.ts";

/** A migration as docs/upgrading.md allows it: the previous version's statements keep working. */
const later: Migration = {
  version: newestVersion + 1,
  name: "later",
  statements: ({ int64, text }) => [
    `ALTER TABLE messages ADD COLUMN later ${int64} NOT NULL DEFAULT 7`,
    `CREATE TABLE later (later_id ${text} PRIMARY KEY)`,
  ],
  indexes: [{ name: "messages_later", on: "messages (later)" }],
};

let placed: PlacedData;
let old: OpenedWorld;
const open = () => {
  const { database, simulator, world } = placed;
  return openWorld({ database, simulator, now: world.stoppedAt, receivers: createReceivers({ areUp: true }) });
};
beforeEach(async () => {
  placed = await placeRecorded(recordedVersions.at(-1) ?? "");
  old = await open();
});
afterEach(async () => {
  await old.service.close();
  await placed.remove();
});

it("an older instance stays ready, accepts and sends after a newer one has migrated; a second one is refused", async () => {
  const { service, clock, call } = old;
  const { database, world } = placed;
  const as = world.keys.tenant;
  const send = async (key: string) => {
    const body = { merchantId: "m1", to: "+12125550100", message: "Hello", type: "TRANSACTIONAL" };
    const reply = await call("POST", "/api/v1/messages/sms", { as, body, key });
    expect(reply.status).toBe(200);
    return reply.body;
  };
  await service.start();
  const before = await send("before");
  await migratePostgres("url" in database ? database.url : "", 0, [...migrations, later]);
  expect(await readReadiness(service)).toEqual({
    status: "ready",
    note: "The database's tables belong to a newer version of msgd: upgrade this instance.",
  });
  const after = await send("after");
  await clock.advanceBy(60_000);
  expect(await send("before")).toMatchObject({ messageId: before.messageId, status: "DELIVERED" });
  expect(await send("after")).toMatchObject({ messageId: after.messageId, status: "DELIVERED" });
  await expect(open()).rejects.toThrow(`the database is at version ${newestVersion + 1}`);
});

async function readReadiness({ app }: Service): Promise<unknown> {
  const reply = await app.inject("/readyz");
  return reply.json();
}
