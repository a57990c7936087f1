// The program of the checkpoint thread: on each request it moves the log into the database file and reports the result.

import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import type { Checkpointed, CheckpointMode } from "./checkpoints.ts";

/**
 * How long a checkpoint waits for locks of other processes: long enough for a command to finish a write, but not a backup.
 * The server's writer pauses during the wait.
 */
const BUSY_TIMEOUT_MS = 20;

const database = new BetterSqlite3(String(workerData), { fileMustExist: true });
database.pragma("synchronous = NORMAL");
database.pragma("cache_size = -64");
database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);

parentPort?.on("message", (mode: CheckpointMode) => parentPort?.postMessage(checkpoint(mode)));

/** Returns undefined if another process is checkpointing, or if the disk failed; the next commit reports that. */
function checkpoint(mode: CheckpointMode): Checkpointed | undefined {
  try {
    const [found] = database.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number; checkpointed: number }[];
    if (found === undefined || found.log < 0) return undefined;
    return { pages: found.log, moved: found.checkpointed, isHeld: found.busy !== 0 };
  } catch {
    return undefined;
  }
}
