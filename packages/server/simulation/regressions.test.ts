// Runs every plan that failed once, shrunk as far as possible. Each failed until the bug that it found was fixed.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRegressions } from "./regression.ts";
import { SqliteDatabase } from "./world/sqlite/sqlite-database.ts";
import { runWorld } from "./world/world.ts";

let database: SqliteDatabase;
beforeAll(async () => {
  database = await SqliteDatabase.create();
});
afterAll(() => database.close());

describe("the world of", () => {
  it.each(readRegressions("sqlite"))("%s violates no invariant", async (_file, plan) => {
    expect((await runWorld(plan, database)).failure).toBeUndefined();
  });
});
