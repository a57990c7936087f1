// Sends through one and two instances of msgd on PostgreSQL, compared with SQLite and a bare echo on the same processors.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PostgresServer } from "../../../packages/server/src/testing/postgres/server.ts";
import { type Server, startServer } from "../process.ts";
import type { SectionOutput } from "../section-output.ts";
import {
  describeMeasured,
  type LoadSize,
  type Measured,
  measureAlternately,
  prepareTenant,
  startMsgd,
  startOnCopy,
  type Target,
} from "../sends.ts";
import { ask, createDatabase, startDurable } from "./databases.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export async function benchPostgres(load: LoadSize, { print, printGoal }: SectionOutput): Promise<void> {
  print(`\nSMS sends on PostgreSQL: ${load.connections} connections, ${load.rounds} × ${load.seconds} s in turns\n`);
  const measured = await measurePostgres(load);
  for (const line of describeMeasured(measured)) print(line);
  const [, , one, two] = measured;
  if (one === undefined || two === undefined) return;
  print("");
  const rate = ({ requestsPerSecond }: Measured) => `${requestsPerSecond.toFixed(0)} /s`;
  printGoal("one instance", rate(one), "≥ 10000 /s", one.requestsPerSecond >= 10_000);
  printGoal("p99", `${one.p99Ms.toFixed(2)} ms`, "≤ 20 ms", one.p99Ms <= 20);
  printGoal("two instances", rate(two), "≥ one", two.requestsPerSecond >= one.requestsPerSecond);
}

async function measurePostgres(load: LoadSize): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-bench-postgres-"));
  const server = await startDurable();
  try {
    const secretKey = randomBytes(32).toString("base64");
    const prepared = await createDatabase(server, "prepared");
    const headers = await prepareTenant(join(folder, "none"), { DATABASE_URL: prepared, MSGD_SECRET_KEY: secretKey });
    const onSqlite = join(folder, "sqlite");
    const sqliteHeaders = await prepareTenant(onSqlite);
    const start = (count: number) => startInstances(server, { count, secretKey, folder });
    const [one, two] = [start(1), start(2)];
    const targets: Target[] = [
      {
        name: "fastify echo",
        start: () => startServer(["--import", "tsx", join(root, "test/bench/echo.ts")]),
        headers,
        keys: "uuidv7",
      },
      { name: "msgd, SQLite", start: () => startOnCopy(onSqlite), headers: sqliteHeaders, keys: "uuidv7" },
      { name: "msgd, PostgreSQL", ...one, headers, keys: "uuidv7" },
      { name: "two of them", ...two, headers, keys: "uuidv7" },
    ];
    return await measureAlternately(targets, load);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts instances on a copy of the prepared database, so that they do not dispatch the backlog of an earlier run. */
function startInstances(
  server: PostgresServer,
  { count, secretKey, folder }: { count: number; secretKey: string; folder: string },
): Pick<Target, "start" | "findOtherPorts"> {
  let others: Server[] = [];
  let runs = 0;
  return {
    findOtherPorts: () => others.map(({ port }) => port),
    async start() {
      runs += 1;
      const url = await createDatabase(server, `run_${count}_${runs}`, "prepared");
      const env = { DATABASE_URL: url, MSGD_SECRET_KEY: secretKey, MSGD_SEARCH_FOLDER: join(folder, "indexes") };
      const startOne = () => startMsgd(join(folder, "none"), env);
      const first = await startOne();
      others = [];
      for (let more = 1; more < count; more += 1) others.push(await startOne());
      return {
        ...first,
        async stop() {
          for (const instance of [first, ...others]) await instance.stop();
          await ask(server.url, `DROP DATABASE run_${count}_${runs} WITH (FORCE)`);
        },
      };
    },
  };
}
