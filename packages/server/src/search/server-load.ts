// How busy the server's own thread is, for a thread beside it that has time: both may be on one core, where the work of either
// slows down the other, whatever its priority.

import { performance } from "node:perf_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";

/** How often it is measured. */
const MEASURE_MS = 250;
/** From which share of its time on the server is busy. */
const BUSY = 0.5;
/** How long a thread rests for each millisecond that it worked, while the server is busy. */
const REST_MS = 2;

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

/** In a thread beside it: leaves the server most of the time while it is busy. */
export function restBeside(load: ServerLoad): (workedMs: number) => Promise<unknown> {
  return (workedMs) =>
    Atomics.load(load, 0) < BUSY * 1_000 ? setImmediate() : setTimeout(Math.ceil(workedMs * REST_MS));
}
