/**
 * One writer at a time in the folder of the profiles: a lock file that exists while somebody writes. What a killed writer
 * left behind is known by its process, which is gone, and removed by exactly one of those who find it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CliError, ConfigurationError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { refuseLooseFolder } from "./private-file.ts";

/** A writer holds the lock for milliseconds: 5 s in all. */
const ATTEMPTS = 250;
const PAUSE_MS = 20;

/**
 * Makes the folder, 0700, and runs `act` while nobody else writes there. `act` is synchronous, so that nothing else of
 * this process comes between. @throws {CliError} When the lock stays taken, or nothing can be written.
 */
export async function changeFolder<Result>(folder: string, signal: AbortSignal, act: () => Result): Promise<Result> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseLooseFolder(folder);
    const lock = join(folder, "lock");
    await take(lock, signal);
    try {
      return act();
    } finally {
      rmSync(lock, { force: true });
    }
  } catch (error) {
    throw asWriteFailure(error, folder);
  }
}

async function take(lock: string, signal: AbortSignal): Promise<void> {
  const mark = `${process.pid} ${crypto.randomUUID()} ${hostname()}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (signal.aborted) throw new CliError(EXIT.interrupted, "interrupted", "interrupted; nothing was changed");
    if (create(lock, mark)) return;
    const holder = contentOf(lock);
    if (holder !== undefined && isAbandoned(holder)) remove(lock, holder);
    else await pause(PAUSE_MS);
  }
  throw new ConfigurationError("configuration_busy", `another msgctl keeps ${lock}; nothing was changed`, [
    `Run the command again. If no other msgctl is running, remove ${lock}.`,
  ]);
}

function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether the holder was a process of this machine that has ended. An empty mark is one that is just being written. */
function isAbandoned(mark: string): boolean {
  const [, pid, host] = /^(\d+) \S+ (.*)$/.exec(mark) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

/** Only who claims this very mark may remove it, and only while it is still there: a successor's lock is never touched. */
function remove(lock: string, mark: string): void {
  const claim = `${lock}.${mark.split(" ")[1]}`;
  if (!create(claim, "")) return;
  if (contentOf(lock) === mark) rmSync(lock);
  rmSync(claim, { force: true });
}

function asWriteFailure(error: unknown, folder: string): unknown {
  const code = codeOf(error);
  if (error instanceof CliError || code === undefined) return error;
  return new CliError(EXIT.internal, "configuration_unwritable", `${folder} cannot be written (${code})`, {
    hints: ["Check who owns the folder and whether the disk is full, or name another with XDG_CONFIG_HOME."],
    cause: error,
  });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && !(error instanceof CliError) ? String(error.code) : undefined;
}
