// Flushing SQLite's write-ahead log from the thread pool. SQLite's own flush at each commit (synchronous = FULL) holds up
// the event loop: 0.3 ms a commit on the disk it was measured on, a quarter of all time under load.

import { type FileHandle, open } from "node:fs/promises";
import type { Flush } from "./group-commit.ts";

export interface Log {
  /** Resolves when every commit made before the call is on the disk. */
  readonly flush: Flush;
  close(): Promise<void>;
}

/** The log of the database at `path`, opened at the first flush, when it is sure to exist. */
export function openLog(path: string): Log {
  // a second handle on the log is safe: SQLite's locks are on its other files
  let opened: Promise<FileHandle> | undefined;
  return {
    async flush() {
      opened ??= open(`${path}-wal`, "r+");
      await (await opened).datasync();
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
