// The thread's own program: moves the log into the database file each time it is told to.

import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";

const database = new BetterSqlite3(String(workerData), { fileMustExist: true });
database.pragma("synchronous = NORMAL");
database.pragma("cache_size = -64");

parentPort?.on("message", () => {
  try {
    // passive: waits for nobody, and holds up nobody
    database.pragma("wal_checkpoint(PASSIVE)");
  } catch {
    // the writer's own checkpoint comes when the log has grown, and tells what is wrong
  }
});
