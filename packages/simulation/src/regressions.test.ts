// Every plan that failed once, as small as it got. Each of them failed before what it found was mended.

import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Regression } from "./regression.ts";
import { Database } from "./world/database.ts";
import { runWorld } from "./world/world.ts";

const folder = new URL("../regressions/", import.meta.url);

let database: Database;
beforeAll(async () => {
  database = await Database.create();
});
afterAll(() => database.close());

describe("the world of", () => {
  it.each(readdirSync(folder))("%s is as it must be", async (file) => {
    const { plan } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Regression;
    expect((await runWorld(plan, database)).failure).toBeUndefined();
  });
});
