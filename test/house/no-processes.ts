// Set-up of the test project `fast`. A suite that starts a process or a thread fails, so that the project stays fast.

import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import workerThreads from "node:worker_threads";

const refuse = (what: string) =>
  function refused(): never {
    throw new Error(
      `this suite of the project "fast" started ${what}, which only other projects may do: rename it to *.product.test.ts, or to *.engines.test.ts if it needs PostgreSQL (CONTRIBUTING.md)`,
    );
  };

for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const) {
  childProcess[name] = refuse(`a process with ${name}()`) as never;
}
workerThreads.Worker = refuse("a thread") as never;
syncBuiltinESMExports();
