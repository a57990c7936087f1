/** Allows one writer at a time in the profiles' folder. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CliError, ConfigurationError } from "../../failures/errors.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { tryLock } from "./lock-file.ts";
import { refuseLooseFolder } from "./private-file.ts";

/** 5 s in all; a writer holds the lock for milliseconds. */
const ATTEMPTS = 250;
const PAUSE_MS = 20;

/**
 * Creates the folder, mode 0700, and runs `act` while no other process writes there. `act` is synchronous, so that
 * nothing else in this process interleaves. @throws {CliError} When the lock stays taken, or nothing can be written.
 */
export async function changeFolder<Result>(folder: string, signal: AbortSignal, act: () => Result): Promise<Result> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseLooseFolder(folder);
    const release = await take(join(folder, "lock"), signal);
    try {
      return act();
    } finally {
      release();
    }
  } catch (error) {
    throw asWriteFailure(error, folder);
  }
}

async function take(lock: string, signal: AbortSignal): Promise<() => void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (signal.aborted) throw new CliError(EXIT.interrupted, "interrupted", "interrupted; nothing was changed");
    const release = tryLock(lock);
    if (release !== undefined) return release;
    await pause(PAUSE_MS);
  }
  throw new ConfigurationError("configuration_busy", `another msgctl keeps ${lock}; nothing was changed`, [
    `Run the command again. If no other msgctl is running, remove ${lock}.`,
  ]);
}

function asWriteFailure(error: unknown, folder: string): unknown {
  const code = readErrorCode(error);
  if (error instanceof CliError || code === undefined) return error;
  return new CliError(EXIT.internal, "configuration_unwritable", `${folder} cannot be written (${code})`, {
    hints: ["Check who owns the folder and whether the disk is full, or name another with XDG_CONFIG_HOME."],
    cause: error,
  });
}
