/** What importing a client costs: CPU time of all threads, over that of an empty module. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeScript, runScript } from "./child.ts";
import type { Client } from "./clients.ts";
import { consumerFolder } from "./places.ts";
import { median } from "./rounds.ts";

const EMPTY = "an empty module";

export interface ImportCost {
  readonly name: string;
  /** Median over the runs, less the empty module's. */
  readonly overEmptyMs: number;
}

/** Imports every client in fresh processes, in turns; the first run of each only warms the file cache. */
export async function measureImports(clients: readonly Client[], runs: number): Promise<ImportCost[]> {
  writeFileSync(join(consumerFolder, "empty.mjs"), "");
  const empty = { name: EMPTY, specifier: "./empty.mjs", folder: consumerFolder };
  const subjects = [];
  for (const { name, specifier, folder } of [empty, ...clients]) {
    subjects.push({ name, specifier, script: await placeScript("import-cost.ts", folder), micros: [] as number[] });
  }
  for (let run = 0; run <= runs; run += 1) {
    for (const { script, specifier, micros } of subjects) {
      const cost = runScript<number>(script, { specifier });
      if (run > 0) micros.push(cost);
    }
  }
  const costs = subjects.map(({ name, micros }) => ({ name, micros: median(micros) }));
  const ofEmpty = costs.find(({ name }) => name === EMPTY)?.micros ?? 0;
  return costs
    .filter(({ name }) => name !== EMPTY)
    .map(({ name, micros }) => ({ name, overEmptyMs: (micros - ofEmpty) / 1000 }));
}
