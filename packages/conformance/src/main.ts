// `msgctl-conformance`: runs the command line in this process.

import { watchInterruption } from "./program/interruption.ts";
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  watchInterruption,
});
