// `npm run simulate`: runs the worlds of many seeds, or one world with its whole trace.

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { probes } from "../src/platform/probes.ts";
import { type DatabaseSource, openDatabases } from "../src/testing/postgres/databases.ts";
import { drawPlan } from "./plan/draw-plan.ts";
import type { Engine, Plan } from "./plan/plan.ts";
import type { Regression } from "./regression.ts";
import { startOwnPostgres } from "./seeds/own-postgres.ts";
import { runRanges } from "./seeds/pool.ts";
import { Progress } from "./seeds/progress.ts";
import type { Failure } from "./seeds/tally.ts";
import { shrink } from "./shrink.ts";
import type { Database } from "./world/database.ts";
import { PostgresDatabase } from "./world/postgres/postgres-database.ts";
import { SqliteDatabase } from "./world/sqlite/sqlite-database.ts";
import { runWorld } from "./world/world.ts";

const USAGE = `Usage: npm run simulate -- [--seeds N] [--from N] [--workers N] [--state FILE] [-o json] [--postgres]
       npm run simulate -- --seed N [--postgres] | --plan FILE   runs one world and prints its trace

  --seeds     number of worlds, one for each seed (default 2000)
  --from      the first seed (default 1)
  --workers   number of processes (default: one for each core)
  --state     progress file, from which an interrupted run resumes
  --postgres  starts PostgreSQL and runs the worlds on it: transactions interleave, 100 times slower
  -o json     prints { seeds, failures, worldsPerSecond, digest, unreached }
`;
/** Number of seeds that should reach every probe. */
const ENOUGH_SEEDS = 2_000;
/** Maximum number of failing seeds to shrink. */
const MOST_SHRUNK = 3;

const regressions = new URL("regressions/", import.meta.url);

await main();

type Values = ReturnType<typeof readOptions>;

function readOptions() {
  return parseArgs({
    options: {
      seeds: { type: "string", default: String(ENOUGH_SEEDS) },
      from: { type: "string", default: "1" },
      workers: { type: "string", default: String(availableParallelism()) },
      state: { type: "string" },
      seed: { type: "string" },
      plan: { type: "string" },
      postgres: { type: "boolean", default: false },
      output: { type: "string", short: "o", default: "text" },
      help: { type: "boolean", short: "h", default: false },
    },
  }).values;
}

async function main(): Promise<void> {
  const values = readOptions();
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const isOnPostgres = values.plan === undefined ? values.postgres : readPlan(values.plan).engine === "postgres";
  const isOfOne = values.plan !== undefined || values.seed !== undefined;
  const count = isOfOne ? 1 : readCount("--workers", values.workers);
  const databases = await Promise.all(Array.from({ length: isOnPostgres ? count : 0 }, startOwnPostgres));
  try {
    await run(
      values,
      databases.map(({ source }) => source),
    );
  } finally {
    await Promise.all(databases.map((database) => database.stop()));
  }
}

/** Runs one worker for each PostgreSQL, or workers on SQLite if there is none. */
async function run(values: Values, sources: readonly DatabaseSource[]): Promise<void> {
  const [source] = sources;
  if (values.seed !== undefined) await showWorld(drawPlan(readCount("--seed", values.seed), engineOf(source)), source);
  else if (values.plan !== undefined) await showWorld(readPlan(values.plan), source);
  else {
    const range = { from: readCount("--from", values.from), count: readCount("--seeds", values.seeds) };
    await runMany(range, {
      workers: readCount("--workers", values.workers),
      state: values.state,
      isJson: values.output === "json",
      sources,
    });
  }
}

function engineOf(source: DatabaseSource | undefined): Engine {
  return source === undefined ? "sqlite" : "postgres";
}

async function openDatabase(source: DatabaseSource | undefined): Promise<Database> {
  if (source === undefined) return SqliteDatabase.create();
  const databases = await openDatabases(source);
  const { url } = await databases.takeUnused();
  await databases.close();
  return PostgresDatabase.open(url, true);
}

function readCount(flag: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new RangeError(`${flag} is ${text}: give a whole number of at least 1.`);
}

function readPlan(file: string): Plan {
  return (JSON.parse(readFileSync(file, "utf8")) as Regression).plan;
}

async function showWorld(plan: Plan, source: DatabaseSource | undefined): Promise<void> {
  const database = await openDatabase(source);
  const { trace, failure, digest, steps } = await runWorld(plan, database);
  await database.close();
  process.stdout.write(`${trace.join("\n")}\n`);
  process.stderr.write(`${steps} steps, digest ${digest}\n`);
  if (failure === undefined) return;
  process.stderr.write(`failed: ${failure.invariant}: ${failure.detail}\n`);
  process.exitCode = 1;
}

interface ManyOptions {
  readonly workers: number;
  readonly state: string | undefined;
  readonly isJson: boolean;
  readonly sources: readonly DatabaseSource[];
}

async function runMany(
  range: { from: number; count: number },
  { workers, state, isJson, sources }: ManyOptions,
): Promise<void> {
  const [source] = sources;
  const progress = new Progress({ ...range, on: engineOf(source) }, state);
  const tell = createTeller(range.count);
  let since = performance.now();
  await runRanges(progress.left(), {
    workers,
    sources,
    onDone(done, tally) {
      const now = performance.now();
      progress.note(done, tally, (now - since) / 1_000);
      since = now;
      for (const { seed, invariant, detail } of tally.failures)
        process.stderr.write(`seed ${seed}: ${invariant}: ${detail}\n`);
      tell(progress);
    },
  });
  const { seeds, failures, digest, probes: reached } = progress.tally;
  await keepSmaller(failures.slice(0, MOST_SHRUNK), source);
  const isEnough = range.count >= ENOUGH_SEEDS && source === undefined;
  const unreached = isEnough ? probes.filter((probe) => (reached[probe] ?? 0) === 0) : [];
  const worldsPerSecond = Math.round((10 * seeds) / progress.seconds) / 10;
  if (isJson) {
    process.stdout.write(
      `${JSON.stringify({ seeds, failures: failures.length, worldsPerSecond, digest, unreached })}\n`,
    );
  } else {
    process.stdout.write(`${seeds} worlds, ${failures.length} failed, ${worldsPerSecond} a second, digest ${digest}\n`);
    for (const probe of unreached) process.stdout.write(`never reached: ${probe}\n`);
  }
  if (failures.length > 0 || unreached.length > 0) process.exitCode = 1;
}

/** Creates a function that reports the progress, at most every ten seconds. */
function createTeller(count: number): (progress: Progress) => void {
  let toldAt = performance.now();
  return ({ tally, seconds }) => {
    if (performance.now() - toldAt < 10_000) return;
    toldAt = performance.now();
    process.stderr.write(
      `${tally.seeds} of ${count} worlds, ${tally.failures.length} failed, ${Math.round(tally.seeds / seconds)} a second\n`,
    );
  };
}

/** Shrinks the plan of each failing seed and saves it in `regressions/`, where regressions.test.ts runs it. */
async function keepSmaller(failures: readonly Failure[], source: DatabaseSource | undefined): Promise<void> {
  if (failures.length === 0) return;
  const database = await openDatabase(source);
  for (const { seed, invariant, detail } of failures) {
    const plan = await shrink(drawPlan(seed, engineOf(source)), async (smaller) => {
      return (await runWorld(smaller, database)).failure?.invariant === invariant;
    });
    const file = fileURLToPath(new URL(`seed-${seed}.json`, regressions));
    const regression: Regression = { invariant, found: detail, plan };
    writeFileSync(file, `${JSON.stringify(regression, undefined, 2)}\n`);
    process.stderr.write(`seed ${seed} still fails with ${plan.acts.length} acts: ${file}\n`);
  }
  await database.close();
}
