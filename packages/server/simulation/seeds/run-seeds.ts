import { drawPlan } from "../plan/draw-plan.ts";
import type { Engine } from "../plan/plan.ts";
import type { Database } from "../world/database.ts";
import { runWorld } from "../world/world.ts";
import { add, nothing, type Tally, tallyOf } from "./tally.ts";

/** Environment variable with the PostgreSQL source of a worker's database. Not set for a worker on SQLite. */
export const SOURCE_VARIABLE = "SIMULATION_SOURCE";

/** Consecutive seeds. */
export interface Range {
  readonly from: number;
  readonly count: number;
}

/** Runs the worlds of a range of seeds one after the other. */
export async function runSeeds({ from, count }: Range, database: Database, on: Engine): Promise<Tally> {
  let tally = nothing;
  for (let seed = from; seed < from + count; seed += 1) {
    tally = add(tally, tallyOf(seed, await runWorld(drawPlan(seed, on), database)));
  }
  return tally;
}
