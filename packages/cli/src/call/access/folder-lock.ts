/** Allows one writer at a time in the profiles' folder. */

import { join } from "node:path";
import { CliError, ConfigurationError } from "../../failures/errors.ts";
import { adviseWrite } from "../../failures/system-faults.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { type Lock, takeLock, type Waiting } from "./lock.ts";
import { makeFolder } from "./make-folder.ts";
import { refuseLooseFolder } from "./private-file.ts";

/** Gives up after 5 s of attempts; a writer holds the lock for milliseconds. */
const ATTEMPTS = 50;
const PAUSE_MS = 100;

/**
 * Creates the folder with mode 0700, and runs `act` while no other process writes there. `act` is synchronous, so that
 * no other code of this process runs in between. If `act` waits for the user, it must renew the lock before it writes again.
 *
 * @throws {CliError} When the lock stays taken, or nothing can be written.
 */
export async function changeFolder<Result>(
  folder: string,
  waiting: Waiting,
  act: (lock: Lock) => Result,
): Promise<Result> {
  try {
    makeFolder(folder);
    refuseLooseFolder(folder);
    const lock = await take(join(folder, "locked"), waiting);
    try {
      return act(lock);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw asWriteFailure(error, folder);
  }
}

async function take(path: string, waiting: Waiting): Promise<Lock> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lock = await takeLock(path, waiting);
    if (lock !== undefined) return lock;
    await waiting.clock.pause(PAUSE_MS, waiting.signal);
  }
  throw new ConfigurationError("configuration_busy", "another msgctl is changing the profiles; nothing was changed", [
    "Run the command again once it has finished.",
  ]);
}

function asWriteFailure(error: unknown, folder: string): unknown {
  const code = readErrorCode(error);
  if (error instanceof CliError || code === undefined) return error;
  const message = `${folder} cannot be written (${code}); nothing was changed`;
  return new CliError(EXIT.usage, "configuration_unwritable", message, { hints: [adviseWrite(error)], cause: error });
}
