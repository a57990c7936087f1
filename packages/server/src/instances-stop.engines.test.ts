// Stops an instance that has not noticed that its connections to PostgreSQL are dead.

import { afterEach, beforeEach, expect, it } from "vitest";
import type { Service } from "./service.ts";
import { checkWrite } from "./store/migrate.ts";
import { StoreUnavailable } from "./store/store.ts";
import { DatabaseLink } from "./testing/database-link.ts";
import { type TestDatabase, takeDatabase } from "./testing/engine.ts";
import { type Instances, openInstances } from "./testing/instances.ts";

let database: TestDatabase;
let link: DatabaseLink;
let instances: Instances;
beforeEach(async () => {
  database = await takeDatabase();
  link = await DatabaseLink.open("url" in database.location ? database.location.url : "");
  const location = { url: link.url };
  instances = await openInstances(1, { database: location, simulator: location });
});
afterEach(async () => {
  link.close();
  await database.release();
});

it("an instance stops as soon as breakOff() tells it to abandon outstanding answers, and starts no new work", async () => {
  const service = instances.services[0] as Service;
  await service.start();
  link.forget();
  // if the write were retried on a new connection, it would succeed
  const write = expect(
    service.store.write((tx) => checkWrite(tx, { checkId: 3, now: instances.clock.now() })),
  ).rejects.toThrow(StoreUnavailable);
  const closed = service.close();
  service.breakOff();
  await write;
  await closed;
});
