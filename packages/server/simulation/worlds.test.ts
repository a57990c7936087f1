// Two hundred worlds: in none does anything happen that must not. Thousands are run by worlds.product.test.ts.

import { afterAll, beforeAll, expect, it } from "vitest";
import { runSeeds } from "./seeds/run-seeds.ts";
import { SqliteDatabase } from "./world/sqlite/sqlite-database.ts";

/** Far more than it takes beside ten others: past it, the next test would share this thread with what goes on of it. */
const LONGEST_MS = 20 * 60_000;

let database: SqliteDatabase;
beforeAll(async () => {
  database = await SqliteDatabase.create();
});
afterAll(() => database.close());

it("the worlds of 200 seeds are all as they must be", { timeout: LONGEST_MS }, async () => {
  const { seeds, failures } = await runSeeds({ from: 1, count: 200 }, database, "sqlite");
  expect([seeds, failures]).toEqual([200, []]);
});

it("a world is the same again, byte by byte", async () => {
  const [first, second] = [await run(), await run()];
  expect(second).toEqual(first);
  async function run() {
    const { digest, steps } = await runSeeds({ from: 1, count: 10 }, database, "sqlite");
    return { digest, steps };
  }
});
