// Two thousand simulated worlds (docs/decisions/0051). None violates an invariant. Together they reach each branch of
// recovery, and two hundred of them repeat byte for byte.

import { beforeAll, describe, expect, it } from "vitest";
import { probes } from "../src/platform/probes.ts";
import { runRanges } from "./seeds/pool.ts";
import type { Range } from "./seeds/run-seeds.ts";
import { add, nothing, type Tally } from "./seeds/tally.ts";

const RANGE_SEEDS = 100;
const WORKERS = 2;
/** Time limit, far longer than the worlds need even while ten other tests run. */
const LONGEST_MS = 20 * 60_000;

async function run(seeds: number): Promise<Map<number, Tally>> {
  const starts = Array.from({ length: seeds / RANGE_SEEDS }, (_, index) => 1 + index * RANGE_SEEDS);
  const tallies = new Map<number, Tally>();
  await runRanges(
    starts.map((from) => ({ from, count: RANGE_SEEDS })),
    { workers: WORKERS, sources: [], onDone: ({ from }: Range, tally) => tallies.set(from, tally) },
  );
  return tallies;
}

describe("the worlds of 2000 seeds", () => {
  let tallies: Map<number, Tally>;
  let whole: Tally;
  beforeAll(async () => {
    tallies = await run(2_000);
    whole = [...tallies.values()].reduce(add, nothing);
  }, LONGEST_MS);

  it("keep all invariants", () => {
    expect([whole.seeds, whole.failures]).toEqual([2_000, []]);
  });

  it("reach each branch of recovery", () => {
    expect(probes.filter((probe) => whole.probes[probe] === undefined)).toEqual([]);
  });

  it(
    "repeat byte for byte",
    async () => {
      const again = await run(200);
      expect(again.size).toBe(2);
      for (const [from, { digest, steps }] of again) {
        expect({ from, digest, steps }).toEqual({
          from,
          digest: tallies.get(from)?.digest,
          steps: tallies.get(from)?.steps,
        });
      }
    },
    LONGEST_MS,
  );
});
