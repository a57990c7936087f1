import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Settings, ShutdownMode } from "./cluster.ts";
import type { GuardianOrder, GuardianReport } from "./guardian.ts";

export interface PostgresServer {
  /** The superuser's URL at the first primary, with a password. */
  readonly url: string;
  /** Stops the primary and keeps its data. */
  shutDown(mode: ShutdownMode): Promise<void>;
  /** Starts the primary again after `shutDown`, with the same URL. */
  startAgain(): Promise<void>;
  /** Starts a standby of the primary. It replaces an earlier one. Returns its URL. */
  addStandby(): Promise<string>;
  /** Makes the standby the primary. Call after the previous primary was shut down. */
  promote(): Promise<void>;
  /** Stops the server and removes all its files. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, from the npm package for this platform, on a free port of the loopback interface. When this process
 * ends, even by SIGKILL, PostgreSQL ends, too. `settings` are written as in postgresql.conf.
 */
export async function startPostgres(settings: Settings = {}): Promise<PostgresServer> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const program = fileURLToPath(new URL("guardian.ts", import.meta.url));
  const guardian = spawn(process.execPath, ["--import", tsx, program, JSON.stringify(settings)], {
    // a separate process group, so that Ctrl-C in the terminal does not signal it
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(guardian, "exit");
  const lines = createInterface({ input: guardian.stdout })[Symbol.asyncIterator]();
  const readReport = async () => {
    const { done, value } = await lines.next();
    if (done === true) throw new Error(`PostgreSQL's guardian ended with ${(await exited).join(" ")}`);
    const report = JSON.parse(value) as GuardianReport;
    if ("failure" in report) throw new Error(report.failure);
    return report;
  };
  const tell = async (order: GuardianOrder) => {
    guardian.stdin.write(`${JSON.stringify(order)}\n`);
    return readReport();
  };
  const { url } = await readReport();
  return {
    url,
    shutDown: async (mode) => void (await tell({ shutDown: mode })),
    startAgain: async () => void (await tell("start again")),
    addStandby: async () => (await tell("add a standby")).url,
    promote: async () => void (await tell("promote")),
    async stop() {
      guardian.stdin.end();
      await exited;
    },
  };
}
