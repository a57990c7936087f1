// Worlds on PostgreSQL: transactions of several instances interleave, statement by statement, in the seed's order.

import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openDatabases } from "../src/testing/postgres/databases.ts";
import { drawPlan } from "./plan/draw-plan.ts";
import { readRegressions } from "./regression.ts";
import { startOwnPostgres } from "./seeds/own-postgres.ts";
import { PostgresDatabase } from "./world/postgres/postgres-database.ts";
import { runWorld, type WorldResult } from "./world/world.ts";

const isOurs = (process.env.TEST_DATABASE_URL ?? "") === "";
const SEEDS = 30;
const AGAIN = 10;
/** Timeout: far longer than the worlds take, even while ten other tests run. */
const LONGEST_MS = 20 * 60_000;

let database: PostgresDatabase;
let release: () => Promise<void>;
const results = new Map<number, WorldResult>();
beforeAll(async () => {
  const own = isOurs ? await startOwnPostgres() : undefined;
  const source = own?.source ?? inject("postgres");
  if (source === undefined) throw new Error("this suite needs PostgreSQL");
  const databases = await openDatabases(source);
  const taken = await databases.takeUnused();
  database = await PostgresDatabase.open(taken.url, isOurs);
  release = async () => {
    await database.close();
    await taken.release();
    await databases.close();
    await own?.stop();
  };
  for (let seed = 1; seed <= SEEDS; seed += 1) results.set(seed, await runWorld(drawPlan(seed, "postgres"), database));
}, LONGEST_MS);
afterAll(() => release());

describe("worlds on PostgreSQL", () => {
  it("keep all invariants", () => {
    const failures = [...results].flatMap(([seed, { failure }]) => (failure === undefined ? [] : [{ seed, failure }]));
    expect(failures).toEqual([]);
  });

  it("reach deadlock checks, lock timeouts, idle timeouts and lost connections", () => {
    const lines = [...results.values()].flatMap(({ trace }) => trace);
    for (const what of [/ looks for a circle$/, / has waited$/, / is idle$/, / is lost$/]) {
      expect(lines.some((line) => what.test(line))).toBe(true);
    }
  });

  it.each(readRegressions("postgres"))("keep all invariants in %s", async (_file, plan) => {
    expect((await runWorld(plan, database)).failure).toBeUndefined();
  });

  it.runIf(isOurs)(
    "repeat byte for byte",
    async () => {
      for (let seed = 1; seed <= AGAIN; seed += 1) {
        const { digest, steps } = await runWorld(drawPlan(seed, "postgres"), database);
        expect({ seed, digest, steps }).toEqual({
          seed,
          digest: results.get(seed)?.digest,
          steps: results.get(seed)?.steps,
        });
      }
    },
    LONGEST_MS,
  );
});
