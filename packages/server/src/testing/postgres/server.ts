import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Settings } from "./cluster.ts";
import type { GuardianReport } from "./guardian.ts";

export interface PostgresServer {
  /** Its superuser's, with a password. */
  readonly url: string;
  /** Ends it, and removes all that it kept. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL on a free port of the loopback interface, from the npm package of this platform. It ends with this
 * process, even if that is killed. `settings` are of postgresql.conf, written as there.
 */
export async function startPostgres(settings: Settings = {}): Promise<PostgresServer> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const program = fileURLToPath(new URL("guardian.ts", import.meta.url));
  const guardian = spawn(process.execPath, ["--import", tsx, program, JSON.stringify(settings)], {
    // a signal to the terminal's group is not for it
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(guardian, "exit");
  const report = await readReport(guardian.stdout);
  if (report === undefined) throw new Error(`PostgreSQL's guardian ended with ${(await exited).join(" ")}`);
  if ("failure" in report) throw new Error(report.failure);
  return {
    url: report.url,
    async stop() {
      guardian.stdin.end();
      await exited;
    },
  };
}

async function readReport(output: NodeJS.ReadableStream): Promise<GuardianReport | undefined> {
  for await (const line of createInterface({ input: output })) return JSON.parse(line) as GuardianReport;
  return undefined;
}
