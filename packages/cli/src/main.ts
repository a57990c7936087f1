/** The process: its streams, its signals and its exit code. Everything else is run.ts. */
import type { WriteStream } from "node:tty";
import { EXIT } from "./exit-codes.ts";
import type { Io, Sink } from "./io.ts";
import { run } from "./run.ts";

const INTERRUPTION_GRACE_MS = 300;

const interruption = new AbortController();
const outputEnd = new AbortController();
let graceMs = INTERRUPTION_GRACE_MS;
let interruptedAtMs: number | undefined;
// Not once: libraries that wait for signals end the process when they find themselves alone.
process.on("SIGINT", () => {
  // A second Ctrl-C ends it at once. What comes right after the first is the same one: npx passes it on as well.
  interruptedAtMs ??= Date.now();
  if (Date.now() - interruptedAtMs >= INTERRUPTION_GRACE_MS) process.exit(EXIT.interrupted);
  interruption.abort();
  // Whatever does not heed the signal (a read of standard input) must not hold the process.
  setTimeout(() => process.exit(EXIT.interrupted), graceMs).unref();
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
  signal: interruption.signal,
  setInterruptionGrace: (ms) => {
    graceMs = ms;
  },
  outputEnd: outputEnd.signal,
};

process.exitCode = await run(process.argv.slice(2), io);

function sinkOf(stream: WriteStream): Sink {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // Whoever reads may stop early (`| head`): there is nobody left to tell, and nothing went wrong.
    if (error.code === "EPIPE") {
      if (stream === process.stdout) outputEnd.abort();
      return;
    }
    if (stream === process.stdout) process.stderr.write(`error: the output could not be written: ${error.message}\n`);
    process.exit(EXIT.internal);
  });
  return { write: (text) => void stream.write(text), isTTY: stream.isTTY === true, columns: stream.columns };
}
