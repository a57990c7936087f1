// Processes that run worlds in parallel. Their program is bundled into one file, because the TypeScript loader would add a
// call to each function, and these calls take a fifth of a world's run time.

import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { DatabaseSource } from "../../src/testing/postgres/databases.ts";
import { type Range, SOURCE_VARIABLE } from "./run-seeds.ts";
import type { Tally } from "./tally.ts";

/** A folder inside the project, so that the bundle finds the project's packages. */
const cache = fileURLToPath(new URL("../../../../.cache/simulation/", import.meta.url));

export interface PoolOptions {
  readonly workers: number;
  /** The PostgreSQL server of each worker; empty for SQLite in memory. */
  readonly sources: readonly DatabaseSource[];
  readonly onDone: (range: Range, tally: Tally) => void;
}

/** Runs the ranges in `workers` processes, and calls `onDone` after each range. Rejects if a process dies. */
export async function runRanges(ranges: Iterable<Range>, { workers, sources, onDone }: PoolOptions): Promise<void> {
  const left = ranges[Symbol.iterator]();
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(cache);
  try {
    const program = await buildWorker(folder);
    // passed in the environment, because every user of the machine can read arguments
    const envOf = (source: DatabaseSource | undefined) =>
      source === undefined ? process.env : { ...process.env, [SOURCE_VARIABLE]: JSON.stringify(source) };
    const start = (index: number) => fork(program, { execArgv: [], env: envOf(sources[index]) });
    await Promise.all(Array.from({ length: workers }, (_, index) => runInOne(start(index), left, onDone)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function buildWorker(folder: string): Promise<string> {
  const outfile = join(folder, "worker.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("worker.ts", import.meta.url))],
    outfile,
    packages: "external",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
  });
  return outfile;
}

function runInOne(
  worker: ChildProcess,
  left: Iterator<Range>,
  onDone: (range: Range, tally: Tally) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let current: Range | undefined;
    worker.on("message", (message: "ready" | { range: Range; tally: Tally }) => {
      if (message !== "ready") onDone(message.range, message.tally);
      current = sendNext(worker, left);
      if (current === undefined) worker.disconnect();
    });
    worker.on("error", reject);
    worker.on("exit", (code, signal) => {
      if (current === undefined) resolve();
      else
        reject(
          new Error(
            `a worker exited with ${code ?? signal} while it ran ${current.count} seeds from seed ${current.from}`,
          ),
        );
    });
  });
}

function sendNext(worker: ChildProcess, left: Iterator<Range>): Range | undefined {
  const { done, value } = left.next();
  if (done === true) return undefined;
  worker.send(value);
  return value;
}
