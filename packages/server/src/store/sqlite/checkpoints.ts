// Checkpoints in a thread of their own. In the writer's they hold up every request for their two flushes.

import { Worker } from "node:worker_threads";

/** Often enough that the log stays short, so that what is left for the writer's own checkpoint is quickly done. */
const INTERVAL_MS = 50;

export interface Checkpoints {
  /** Something was committed. */
  note(): void;
  close(): Promise<void>;
}

/** Starts `thread`, the built `checkpoint-thread`, beside the writer of the database at `path`. */
export function startCheckpoints(path: string, thread: URL): Checkpoints {
  const worker = new Worker(thread, {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  worker.unref();
  // without it the writer's own checkpoints remain, at a longer pause
  worker.on("error", () => {});
  let timer: NodeJS.Timeout | undefined;
  return {
    note() {
      timer ??= setTimeout(() => {
        timer = undefined;
        worker.postMessage(null);
      }, INTERVAL_MS).unref();
    },
    async close() {
      clearTimeout(timer);
      await worker.terminate();
    },
  };
}
