// Checks that two hundred worlds keep all invariants. worlds.product.test.ts runs thousands.

import { afterAll, beforeAll, expect, it } from "vitest";
import { runSeeds } from "./seeds/run-seeds.ts";
import { SqliteDatabase } from "./world/sqlite/sqlite-database.ts";

/**
 * Far longer than the worlds take while ten other tests run. After a timeout, the worlds would keep running, and share this
 * thread with the next test.
 */
const LONGEST_MS = 20 * 60_000;

let database: SqliteDatabase;
beforeAll(async () => {
  database = await SqliteDatabase.create();
});
afterAll(() => database.close());

it("the worlds of 200 seeds keep all invariants", { timeout: LONGEST_MS }, async () => {
  const { seeds, failures } = await runSeeds({ from: 1, count: 200 }, database, "sqlite");
  expect([seeds, failures]).toEqual([200, []]);
});

it("the same seed gives the same world, byte for byte", async () => {
  const [first, second] = [await run(), await run()];
  expect(second).toEqual(first);
  async function run() {
    const { digest, steps } = await runSeeds({ from: 1, count: 10 }, database, "sqlite");
    return { digest, steps };
  }
});
