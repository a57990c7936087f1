// Processes that run worlds in parallel. Their program is bundled once, into one file: the loader that runs TypeScript adds
// a call to each function, a fifth of a world's time.

import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { DatabaseSource } from "../../src/testing/postgres/databases.ts";
import { type Range, SOURCE_VARIABLE } from "./run-seeds.ts";
import type { Tally } from "./tally.ts";

/** A folder inside the project, from which its packages are found. */
const cache = fileURLToPath(new URL("../../../../.cache/simulation/", import.meta.url));

export interface PoolOptions {
  readonly workers: number;
  /** The database of each worker, or none for SQLite in memory. */
  readonly sources: readonly DatabaseSource[];
  readonly onDone: (range: Range, tally: Tally) => void;
}

/** Runs ranges in a number of processes and calls `onDone` for each. Rejects if a process dies. */
export async function runRanges(ranges: Iterable<Range>, { workers, sources, onDone }: PoolOptions): Promise<void> {
  const left = ranges[Symbol.iterator]();
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(cache);
  try {
    const program = await buildWorker(folder);
    // not as an argument, which every user of the machine could read
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
          new Error(`a worker ended with ${code ?? signal} in the ${current.count} seeds from ${current.from} on`),
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
