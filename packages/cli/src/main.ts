/** Entry point of the process: connects its streams, signals and exit code to run.ts. */
import { systemClock } from "./process/clock.ts";
import { isLineByLine } from "./process/config.ts";
import { decodeText } from "./process/decode-text.ts";
import { EXIT } from "./process/exit-codes.ts";
import { Interruption } from "./process/interruption.ts";
import type { Io } from "./process/io.ts";
import { LateAbort } from "./process/late-abort.ts";
import { standardStream } from "./process/standard-stream.ts";
import { run } from "./run.ts";

const interruption = new Interruption(process, () => {
  return io.stdout.isTTY || io.stderr.isTTY || process.getBuiltinModule("node:tty").isatty(0);
});
const outputEnd = new LateAbort();
const plain = { isLineByLine: isLineByLine(process.env) };

const io: Io = {
  stdout: standardStream(1, { ...plain, onGone: () => outputEnd.abort() }),
  stderr: standardStream(2, plain),
  readStdin: async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
    return decodeText(Buffer.concat(chunks));
  },
  keyboard: () => (process.stdin.isTTY ? process.stdin : undefined),
  stdinChunks: () => process.stdin,
  env: process.env,
  nodeVersion: process.versions.node,
  zoneOffsetMinutes: (at) => -at.getTimezoneOffset(),
  // a getter, because cwd() throws if the current folder was removed
  get cwd() {
    return process.cwd();
  },
  clock: systemClock,
  get signal() {
    return interruption.signal;
  },
  page: async (text) => (await import("./process/programs.ts")).page(text, io),
  openBrowser: async (url) => (await import("./process/programs.ts")).openBrowser(url, io),
  interruptedExitCode: () => interruption.exitCode,
  setInterruptionGrace: (graceMs) => {
    interruption.graceMs = graceMs;
  },
  get outputEnd() {
    return outputEnd.signal;
  },
};

void run(process.argv.slice(2), io).then((exitCode) => {
  if (exitCode === EXIT.hungUp) interruption.exit();
  else process.exitCode = exitCode;
});
