// `msgctl-mock`: runs a mock on a port until a signal stops it.

import { readFileSync } from "node:fs";
import { help, LineError, type MockLine, readLine } from "./command-line.ts";
import { endWithLauncher } from "./launcher.ts";

/** Time limit for a graceful shutdown after a signal. */
const STOP_LIMIT_MS = 10_000;

/** Runs `msgctl-mock` with its arguments. Sets the exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  // ignore EPIPE: the reader of the greeting may close the pipe
  process.stdout.on("error", () => {});
  try {
    const line = readLine(args);
    if (line === "help") process.stdout.write(help);
    else if (line === "version") process.stdout.write(`${readVersion()}\n`);
    else await serve(line);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const advice = error instanceof LineError ? "\nRun msgctl-mock --help for what is allowed." : "";
    process.stderr.write(`${message}${advice}`.replace(/^/gm, "msgctl-mock: ").concat("\n"));
    process.exitCode = error instanceof LineError ? 2 : 1;
  }
}

async function serve(line: MockLine): Promise<void> {
  const stopped = signalToStop();
  endWithLauncher();
  // load only the libraries of the mode
  const start =
    line.mode === "stateful"
      ? (await import("./stateful.ts")).startStateful
      : (await import("./examples.ts")).startExamples;
  const mock = await start(line);
  // Prism is a separate process, which does not keep this one running
  const alive = setInterval(() => {}, 60_000);
  if (!isLoopback(line.host)) {
    process.stderr.write(
      `msgctl-mock: anyone who can reach ${line.host} can use the mock, and make it post callbacks into this network\n`,
    );
  }
  process.stdout.write(`msgctl-mock listening on ${mock.url}\n${mock.greeting}`);
  try {
    await Promise.race([stopped, mock.failed ?? stopped]);
  } finally {
    clearInterval(alive);
    const lastResort = setTimeout(() => process.exit(1), STOP_LIMIT_MS);
    await mock.stop();
    clearTimeout(lastResort);
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process immediately. */
function signalToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
