// Every plan that failed once, as small as it got. Each of them failed before what it found was mended.

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
  it.each(readRegressions("sqlite"))("%s is as it must be", async (_file, plan) => {
    expect((await runWorld(plan, database)).failure).toBeUndefined();
  });
});
