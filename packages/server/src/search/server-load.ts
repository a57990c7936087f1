// How busy the server's own thread is, for a thread beside it that has time: both may be on one core, where the work of either
// slows down the other, whatever its priority.

import { clearInterval, performance, setInterval } from "../platform/timers.ts";

/** How often it is measured. */
const MEASURE_MS = 250;
/** How many times as long as it worked a thread rests, by the share of its time from which on the server is as busy as that. */
const RESTS = [
  // more would be at the cost of requests
  { from: 0.85, times: 39 },
  { from: 0.5, times: 2 },
];

/** In thousandths of its time; shared between threads. */
export type ServerLoad = Int32Array<SharedArrayBuffer>;

export function createServerLoad(): ServerLoad {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** In the server's thread: measures until the function that it returns is called. */
export function measureServerLoad(load: ServerLoad): () => void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    Atomics.store(load, 0, Math.round(performance.eventLoopUtilization(now, before).utilization * 1_000));
    before = now;
  }, MEASURE_MS).unref();
  return () => clearInterval(timer);
}

/** In a thread beside it: how long to rest after so much work, in milliseconds. */
export function findRest(load: ServerLoad, workedMs: number): number {
  const share = Atomics.load(load, 0) / 1_000;
  return workedMs * (RESTS.find(({ from }) => share >= from)?.times ?? 0);
}
