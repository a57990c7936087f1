import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Range } from "./run-seeds.ts";
import type { Tally } from "./tally.ts";

/** Has each range run by one of so many processes; `onDone` learns of each. Rejects if one of them dies. */
export async function runRanges(
  ranges: Iterable<Range>,
  { workers, onDone }: { workers: number; onDone: (range: Range, tally: Tally) => void },
): Promise<void> {
  const left = ranges[Symbol.iterator]();
  await Promise.all(Array.from({ length: workers }, () => runInOne(left, onDone)));
}

function runInOne(left: Iterator<Range>, onDone: (range: Range, tally: Tally) => void): Promise<void> {
  const execArgv = ["--import", "tsx"];
  const worker = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), { execArgv });
  return new Promise((resolve, reject) => {
    let current: Range | undefined;
    worker.on("message", (message: "ready" | { range: Range; tally: Tally }) => {
      if (message !== "ready") onDone(message.range, message.tally);
      current = sendNext(worker, left);
      if (current === undefined) worker.disconnect();
    });
    worker.on("error", reject);
    worker.on("exit", (code, signal) => {
      if (current === undefined) resolve();
      else
        reject(
          new Error(`a worker ended with ${code ?? signal} in the ${current.count} seeds from ${current.from} on`),
        );
    });
  });
}

function sendNext(worker: ChildProcess, left: Iterator<Range>): Range | undefined {
  const { done, value } = left.next();
  if (done === true) return undefined;
  worker.send(value);
  return value;
}
