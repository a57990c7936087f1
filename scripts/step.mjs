// The long commands of the set-up: keeps the output of each in a log, and reports what is done while they run.

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** The commands that run now. @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** Ends all commands with this process, however it ends itself. */
process.on("exit", () => running.forEach(kill));

/** @param {NodeJS.Signals} signal */
function interrupt(signal) {
  process.stderr.write("interrupted\n");
  process.exit(128 + constants.signals[signal]);
}

/**
 * Runs the command to its end. An interruption, or another end of this process, kills the command with all its children. If
 * npm were not killed, it would undo its work, which takes longer than the work itself. The next set-up starts from the
 * beginning anyway.
 *
 * @param {{ command: string, args: readonly string[], shell?: boolean, env?: Record<string, string> }} step
 * @param {{ cwd: string, logFile: string }} surroundings
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function runStep({ command, args, shell = false, env }, { cwd, logFile }) {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, "w");
  const stdio = /** @type {const} */ (["ignore", log, log]);
  // start a new process group, which can be ended with all its children; Windows has no process groups
  const detached = process.platform !== "win32";
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, interrupt);
  const child = spawn(command, args, { cwd, shell, env: { ...process.env, ...env }, stdio: [...stdio], detached });
  running.add(child);
  /** @type {string} */
  const failure = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(code === 0 ? "" : `Ended by ${signal ?? `exit code ${code}`}.`));
  });
  running.delete(child);
  if (running.size === 0) for (const signal of SIGNALS) process.off(signal, interrupt);
  if (failure !== "") kill(child);
  closeSync(log);
  return { ok: failure === "", output: readFileSync(logFile, "utf8") + failure };
}

/** Interval at which a terminal shows how far the work is. */
const PROGRESS_MS = 500;

/**
 * Does some work, and reports its name and how long it took. A terminal also shows how far it is, on the same line.
 *
 * @template T
 * @param {string} doing such as `Installing packages`
 * @param {() => Promise<T>} work
 * @param {() => string} [progress] such as `63 %`; may be empty
 * @returns {Promise<T>}
 */
export async function timed(doing, work, progress = () => "") {
  const start = Date.now();
  const seconds = (digits = 1) => `${((Date.now() - start) / 1_000).toFixed(digits)} s`;
  process.stderr.write(`${doing} … `);
  const rewrite = (/** @type {string} */ rest) => {
    // a line that is longer than the terminal would leave its first part behind
    const line = `${doing} … ${rest}`.slice(0, (process.stderr.columns ?? 80) - 1);
    process.stderr.write(`\r\x1b[2K${line}`);
  };
  const timer = process.stderr.isTTY
    ? setInterval(() => rewrite([seconds(0), progress()].filter((text) => text !== "").join(", ")), PROGRESS_MS)
    : undefined;
  const end = (/** @type {string} */ words) => {
    clearInterval(timer);
    if (timer !== undefined) process.stderr.write(`\r\x1b[2K${doing} … `);
    process.stderr.write(`${words}\n`);
  };
  try {
    const done = await work();
    end(seconds());
    return done;
  } catch (error) {
    end(`failed after ${seconds()}`);
    throw error;
  }
}

/** Ends a command and every process that it started. @param {import("node:child_process").ChildProcess} child */
function kill(child) {
  try {
    if (child.pid === undefined || process.platform === "win32") child.kill();
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // the process has already ended
  }
}
