// One long command of the set-up: what it does is said while it does it, what it prints is kept in a log.

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";

const TAIL_LINES = 20;
/** npm would undo all it did so far, which takes longer than doing it; the next set-up begins anew anyway. */
const GRACE_MS = 1_000;

/**
 * @typedef {object} Step
 * @property {string} doing such as `Installing packages`
 * @property {string} [note] what to expect of it, said while it goes on
 * @property {string} done such as `Installed packages`
 * @property {string} command
 * @property {readonly string[]} args
 * @property {boolean} [shell] only a shell finds the command
 */

/** @typedef {{ isTTY?: boolean, write(text: string): unknown }} Terminal */

/**
 * Runs it to its end, and gives the last lines it printed when it failed. An interruption ends the command first, then
 * this process.
 *
 * @param {Step} step
 * @param {{ cwd: string, logFile: string, terminal?: Terminal }} surroundings
 * @returns {Promise<{ ok: true } | { ok: false, lastLines: string }>}
 */
export async function runStep({ doing, note, done, ...how }, { cwd, logFile, terminal = process.stderr }) {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, "w");
  const progress = showProgress(note === undefined ? doing : `${doing} (${note})`, terminal);
  try {
    writeSync(log, `> ${[how.command, ...how.args].join(" ")}\n`);
    const status = await run(how, { cwd, log });
    progress.end(status === 0 ? `${done} in` : `${doing} failed after`);
    return status === 0 ? { ok: true } : { ok: false, lastLines: readLastLines(logFile) };
  } finally {
    closeSync(log);
  }
}

/**
 * On a terminal one line that counts the seconds, elsewhere a line at the start and one at the end.
 *
 * @param {string} doing
 * @param {Terminal} terminal
 */
export function showProgress(doing, terminal) {
  const start = Date.now();
  const seconds = (digits = 0) => `${((Date.now() - start) / 1_000).toFixed(digits)} s`;
  // \x1b[K clears the rest of the line
  const rewrite = () => terminal.write(`\r${doing} … ${seconds()}\x1b[K`);
  if (terminal.isTTY) rewrite();
  else terminal.write(`${doing} …\n`);
  const timer = terminal.isTTY ? setInterval(rewrite, 1_000) : undefined;
  return {
    /** @param {string} what such as `Installed packages in` */
    end(what) {
      clearInterval(timer);
      const last = `${what} ${seconds(1)}`;
      terminal.write(terminal.isTTY ? `\r${last}\x1b[K\n` : `${last}\n`);
    },
  };
}

/**
 * @param {Pick<Step, "command" | "args" | "shell">} how
 * @param {{ cwd: string, log: number }} surroundings
 * @returns {Promise<number>} its exit code; 1 when it could not be started or was killed
 */
function run({ command, args, shell = false }, { cwd, log }) {
  return new Promise((resolve) => {
    // in a process group of its own, so that it ends together with all that it started; Windows has no such groups
    const detached = process.platform !== "win32";
    const child = spawn(command, args, { cwd, shell, detached, stdio: ["ignore", log, log], windowsHide: true });
    /** @type {NodeJS.Signals | undefined} */
    let interruption;
    /** @param {NodeJS.Signals} signal */
    const interrupt = (signal) => {
      if (interruption !== undefined) return;
      interruption = signal;
      kill(child, signal);
      setTimeout(() => kill(child, "SIGKILL"), GRACE_MS);
    };
    for (const signal of signals) process.on(signal, interrupt);
    /** @param {number} status */
    const end = (status) => {
      for (const signal of signals) process.off(signal, interrupt);
      if (status !== 0) kill(child, "SIGKILL");
      if (interruption !== undefined) {
        process.stderr.write("\n");
        process.exit(128 + constants.signals[interruption]);
      }
      resolve(status);
    };
    child.on("error", (error) => {
      writeSync(log, `${error.message}\n`);
      end(1);
    });
    child.on("exit", (code, signal) => {
      if (signal !== null) writeSync(log, `Ended by ${signal}.\n`);
      end(code ?? 1);
    });
  });
}

/** @type {readonly NodeJS.Signals[]} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Ends a command with whatever it started and left behind.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function kill(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // there is nothing left of it
  }
}

/** @param {string} logFile */
function readLastLines(logFile) {
  const lines = readFileSync(logFile, "utf8").trimEnd().split("\n");
  return lines.slice(-TAIL_LINES).join("\n");
}
