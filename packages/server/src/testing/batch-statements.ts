import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BatchStatement } from "../store/statement.ts";

const folder = join(import.meta.dirname, "../store");

/** Lists every batch statement with its name. Throws if one is not exported, because it could not be tested. */
export async function listBatchStatements(): Promise<[name: string, statement: BatchStatement][]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  const named: [string, BatchStatement][] = [];
  for (const file of files) {
    const described = readFileSync(join(folder, file), "utf8").match(/= batchStatement\(/g)?.length ?? 0;
    if (described === 0) continue;
    const exported = Object.entries<BatchStatement>(await import(join(folder, file)));
    const found = exported.filter(([, value]) => typeof value === "function" && "batch" in value);
    if (found.length !== described) throw new Error(`${file}: export each batch statement`);
    named.push(...found);
  }
  return named;
}
