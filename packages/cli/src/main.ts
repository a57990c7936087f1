/** The process: its streams, its signals and its exit code. Everything else is run.ts. */
import { EXIT } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { run } from "./run.ts";
import { standardStream } from "./standard-stream.ts";

const INTERRUPTION_GRACE_MS = 300;

/** The signal of Ctrl-C. What never asks for it, such as help, is ended by the system, and starts a millisecond earlier. */
function watchInterruption(): AbortSignal {
  const interruption = new AbortController();
  // Not once: libraries that wait for signals end the process when they find themselves alone.
  process.on("SIGINT", () => {
    interruption.abort();
    // Whatever does not heed the signal (a read of standard input) must not hold the process.
    setTimeout(() => process.exit(EXIT.interrupted), INTERRUPTION_GRACE_MS).unref();
  });
  return interruption.signal;
}

let interruption: AbortSignal | undefined;

const io: Io = {
  stdout: standardStream(1),
  stderr: standardStream(2),
  readStdin: async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString("utf8");
  },
  keyboard: () => (process.stdin.isTTY ? process.stdin : undefined),
  stdinChunks: () => process.stdin,
  env: process.env,
  nodeVersion: process.versions.node,
  zoneOffsetMinutes: (at) => -at.getTimezoneOffset(),
  cwd: process.cwd(),
  get signal() {
    interruption ??= watchInterruption();
    return interruption;
  },
};

void run(process.argv.slice(2), io).then((exitCode) => {
  process.exitCode = exitCode;
});
