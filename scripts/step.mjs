// One long command of the set-up: reports its name while it runs, and keeps its output in a log.

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Runs the command to its end. An interruption kills the command with all its children, then this process. If npm were not
 * killed, it would undo its work, which takes longer than the work itself. The next set-up starts from the beginning anyway.
 *
 * @param {string} doing such as `Installing packages`
 * @param {{ command: string, args: readonly string[], shell?: boolean, env?: Record<string, string> }} step
 * @param {{ cwd: string, logFile: string }} surroundings
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function runStep(doing, { command, args, shell = false, env }, { cwd, logFile }) {
  const start = Date.now();
  process.stderr.write(`${doing} … `);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, "w");
  const stdio = /** @type {const} */ (["ignore", log, log]);
  // start a new process group, which can be ended with all its children; Windows has no process groups
  const detached = process.platform !== "win32";
  const child = spawn(command, args, { cwd, shell, env: { ...process.env, ...env }, stdio: [...stdio], detached });
  const interrupt = (/** @type {NodeJS.Signals} */ signal) => {
    kill(child);
    process.stderr.write("interrupted\n");
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  /** @type {string} */
  const failure = await new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(code === 0 ? "" : `Ended by ${signal ?? `exit code ${code}`}.`));
  });
  for (const signal of SIGNALS) process.off(signal, interrupt);
  if (failure !== "") kill(child);
  closeSync(log);
  const seconds = ((Date.now() - start) / 1_000).toFixed(1);
  process.stderr.write(failure === "" ? `${seconds} s\n` : `failed after ${seconds} s\n`);
  return { ok: failure === "", output: readFileSync(logFile, "utf8") + failure };
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
