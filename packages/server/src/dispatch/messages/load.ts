import { performance } from "node:perf_hooks";

/** The measured window, in milliseconds: shorter ones are mostly noise. */
const WINDOW_MS = 20;
/** Above this share of busy time the event loop is saturated. */
const FULL = 0.9;

/** Creates a gauge that tells whether this process's event loop was saturated over the last window. */
export function createLoadGauge(): () => boolean {
  let windowStart = performance.eventLoopUtilization();
  let measuredAt = performance.now();
  let isFull = false;
  return () => {
    const now = performance.now();
    if (now - measuredAt < WINDOW_MS) return isFull;
    const current = performance.eventLoopUtilization();
    isFull = performance.eventLoopUtilization(current, windowStart).utilization > FULL;
    windowStart = current;
    measuredAt = now;
    return isFull;
  };
}
