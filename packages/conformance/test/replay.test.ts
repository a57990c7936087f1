// A repeat with the same Idempotency-Key writes nothing. This is checked here, where a test can count rows of tables.

import { afterAll, beforeAll, expect, it } from "vitest";
import { listTables } from "../../server/src/store/migrate.ts";
import { repeat, repeats } from "../src/promises/repeats.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it.each(repeats)("a repeat of $operationId adds no row", async ({ operationId }) => {
  let before: unknown[] = [];
  await repeat(world, operationId, async () => {
    // wait until no work is in progress
    await world.service.clock.advanceBy(60_000);
    before = await countRows();
  });
  expect(before.length).toBeGreaterThan(10);
  expect(await countRows()).toEqual(before);
});

async function countRows(): Promise<unknown[]> {
  const { store } = world.service;
  return store.read(async (tx) => {
    const rows: unknown[] = [];
    for (const table of listTables(tx.dialect)) {
      rows.push(await tx.get(`SELECT '${table}' AS name, COUNT(*) AS rows FROM ${table}`));
    }
    return rows;
  });
}
