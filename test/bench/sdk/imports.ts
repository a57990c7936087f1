/**
 * Measures the cost of importing a client: the CPU time of all threads, less that of importing an empty package. This excludes
 * the cost of resolving a package, which is as high as the cost of reading a small one.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeScript, runScript } from "../child.ts";
import type { Client } from "./clients.ts";
import { consumerFolder } from "./places.ts";
import { median } from "./rounds.ts";

const EMPTY = "empty-package";

export interface ImportCost {
  readonly name: string;
  /** Median of the runs, less the empty module's median. */
  readonly overEmptyMs: number;
}

/** Imports every client in fresh processes, in turns; the first run of each only warms the file cache. */
export async function measureImports(clients: readonly Client[], runs: number): Promise<ImportCost[]> {
  placeEmptyPackage();
  const empty = { name: EMPTY, specifier: EMPTY, folder: consumerFolder };
  const subjects = [];
  for (const { name, specifier, folder } of [empty, ...clients]) {
    subjects.push({
      name,
      specifier,
      script: await placeScript(new URL("import-cost.ts", import.meta.url), folder),
      micros: [] as number[],
    });
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

function placeEmptyPackage(): void {
  const folder = join(consumerFolder, "node_modules", EMPTY);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: EMPTY, type: "module", exports: "./index.js" }));
  writeFileSync(join(folder, "index.js"), "");
}
