// The thread's own program: moves the log into the database file each time it is told to, and tells what it found.

import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import type { CheckpointMode } from "./checkpoints.ts";
import type { Checkpointed } from "./log-length.ts";

/** The writer pauses meanwhile: as long as a command beside the server takes to write, not as long as a backup. */
const BUSY_TIMEOUT_MS = 20;

const database = new BetterSqlite3(String(workerData), { fileMustExist: true });
database.pragma("synchronous = NORMAL");
database.pragma("cache_size = -64");
database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);

parentPort?.on("message", (mode: CheckpointMode) => parentPort?.postMessage(checkpoint(mode)));

/** Undefined where another process is at it, or the disk fails: that the next commit tells. */
function checkpoint(mode: CheckpointMode): Checkpointed | undefined {
  try {
    const [found] = database.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number; checkpointed: number }[];
    if (found === undefined || found.log < 0) return undefined;
    return { pages: found.log, moved: found.checkpointed, isHeld: found.busy !== 0 };
  } catch {
    return undefined;
  }
}
