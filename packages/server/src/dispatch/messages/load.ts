import { performance } from "node:perf_hooks";
import type { Store } from "../../store/store.ts";

/** The measured window, in milliseconds: shorter ones are mostly noise. */
const WINDOW_MS = 20;
/** The shares of busy time above which they are saturated: groups of writes have pauses between them. */
const FULL_LOOP = 0.9;
const FULL_STORE = 0.5;

/** Creates a gauge that tells whether this process's event loop, or its store, was saturated over the last window. */
export function createLoadGauge({ saturatedMs }: Pick<Store, "saturatedMs">): () => boolean {
  const isLoopFull = createGauge(() => performance.eventLoopUtilization().active, FULL_LOOP);
  const isStoreFull = saturatedMs && createGauge(saturatedMs, FULL_STORE);
  return () => {
    // both, whatever the first says, lest a window last for longer than a look at it
    const isFull = [isLoopFull(), isStoreFull?.()];
    return isFull.includes(true);
  };
}

/** Tells whether what `readBusyMs` counts took more than this share of the last window. */
function createGauge(readBusyMs: () => number, share: number): () => boolean {
  let busyMs = readBusyMs();
  let measuredAt = performance.now();
  let isFull = false;
  return () => {
    const now = performance.now();
    if (now - measuredAt < WINDOW_MS) return isFull;
    const before = busyMs;
    busyMs = readBusyMs();
    isFull = (busyMs - before) / (now - measuredAt) > share;
    measuredAt = now;
    return isFull;
  };
}
