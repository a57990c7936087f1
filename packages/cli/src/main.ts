/** The process: its streams, its signals and its exit code. Everything else is run.ts. */
import type { WriteStream } from "node:tty";
import { systemClock } from "./clock.ts";
import { EXIT } from "./exit-codes.ts";
import type { Io, Sink } from "./io.ts";
import { run } from "./run.ts";

const INTERRUPTION_GRACE_MS = 300;

const interruption = new AbortController();
// Not once: libraries that wait for signals end the process when they find themselves alone.
process.on("SIGINT", () => {
  interruption.abort();
  // Whatever does not heed the signal (a read of standard input) must not hold the process.
  setTimeout(() => process.exit(EXIT.interrupted), INTERRUPTION_GRACE_MS).unref();
});

const io: Io = {
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
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
  clock: systemClock,
  signal: interruption.signal,
};

process.exitCode = await run(process.argv.slice(2), io);

function sinkOf(stream: WriteStream): Sink {
  let isBroken = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // Whoever reads may stop early (`| head`): there is nobody left to tell, and nothing went wrong.
    if (error.code === "EPIPE") {
      isBroken = true;
      return;
    }
    if (stream === process.stdout) process.stderr.write(`error: the output could not be written: ${error.message}\n`);
    process.exit(EXIT.internal);
  });
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY === true,
    columns: stream.columns,
    get isBroken() {
      return isBroken;
    },
  };
}
