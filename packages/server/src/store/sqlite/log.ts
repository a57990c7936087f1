// Flushes SQLite's write-ahead log from the thread pool. SQLite's own flush at each commit (synchronous = FULL) blocks
// the event loop: 0.3 ms per flush on the disk it was measured on.

import { closeSync, fdatasync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Flush } from "./group-commit.ts";

export interface Log {
  /** Resolves when every commit made before the call is on disk. */
  readonly flush: Flush;
  close(): void;
}

const flushFile = promisify(fdatasync);

/** The log of the database at `path`, opened at the first flush, when it is sure to exist. */
export function openLog(path: string): Log {
  // a second handle on the log is safe: SQLite's locks are on its other files
  let handle: number | undefined;
  return {
    flush() {
      handle ??= openLogFile(path);
      return flushFile(handle);
    },
    close() {
      if (handle !== undefined) closeSync(handle);
    },
  };
}

function openLogFile(path: string): number {
  const handle = openSync(`${path}-wal`, "r+");
  // its name must survive a power cut too, and SQLite ensures that only when it first flushes the log itself
  if (process.platform !== "win32") flushFolder(dirname(path));
  return handle;
}

function flushFolder(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}
