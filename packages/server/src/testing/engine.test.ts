import { describe, expect, it } from "vitest";
import { insertTenant, listTenants } from "../store/tenants.ts";
import { takeDatabase, takeLastingDatabase } from "./engine.ts";
import { openStoreAt, openTestStore } from "./test-store.ts";

const now = () => 0;
const tenant = { name: "Test", timezone: "UTC", now: 0 };

describe("takeDatabase", () => {
  it("takes an empty one each time, also while others are taken", async () => {
    for (let round = 0; round < 3; round += 1) {
      const stores = await Promise.all([openTestStore({ now }), openTestStore({ now })]);
      for (const store of stores) {
        expect(await store.read(listTenants)).toEqual([]);
        expect(await store.write((tx) => insertTenant(tx, tenant))).toMatchObject({ tenantId: 1 });
      }
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  it("is given back once, however often it is released", async () => {
    const first = await takeDatabase();
    await first.release();
    const second = await takeDatabase();
    const store = await openStoreAt(second.location, { now });
    await store.write((tx) => insertTenant(tx, tenant));
    await first.release();
    expect(await store.read(listTenants)).toHaveLength(1);
    await store.close();
    await second.release();
  });
});

describe("takeLastingDatabase", () => {
  it("keeps what is written while it is closed, until it is released", async () => {
    const { location, release } = await takeLastingDatabase();
    const first = await openStoreAt(location, { now });
    await first.write((tx) => insertTenant(tx, tenant));
    await first.close();
    const second = await openStoreAt(location, { now });
    expect(await second.read(listTenants)).toHaveLength(1);
    await second.close();
    await release();
    const third = await openTestStore({ now });
    expect(await third.read(listTenants)).toEqual([]);
    await third.close();
  });
});

describe("a database", () => {
  it("of which a test changed the tables is not used again", async () => {
    const first = await openTestStore({ now });
    await first.write((tx) => tx.run("CREATE TABLE extra (id INTEGER PRIMARY KEY)"));
    await first.write((tx) => tx.run("INSERT INTO migrations (version, name, applied_at) VALUES (1000, 'later', 0)"));
    await first.close();
    const second = await openTestStore({ now });
    await second.write((tx) => tx.run("CREATE TABLE extra (id INTEGER PRIMARY KEY)"));
    await second.close();
  });
});
