import { performance } from "node:perf_hooks";

/** The window that is judged, in milliseconds: shorter ones are mostly noise. */
const WINDOW_MS = 20;
/** Above this share of busy time the event loop has nothing left to give. */
const FULL = 0.9;

/** A gauge that says whether this process's event loop was busy all through the last moments. */
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
