import { performance } from "node:perf_hooks";
import type { CallerWaits } from "../../platform/caller-waits.ts";
import type { Store } from "../../store/store.ts";

/** The measured window, in milliseconds: shorter ones are mostly noise. */
const WINDOW_MS = 20;
/** The shares of busy time above which they are saturated: groups of writes have pauses between them. */
const FULL_LOOP = 0.9;
const FULL_STORE = 0.5;
/** The share of their time that callers spend waiting, above which they would ask more if they were answered sooner. */
const HELD_UP = 0.45;

/**
 * Creates a gauge that tells whether callers were held up over the last window because this process's event loop, or its
 * store, was saturated. One of these by itself does not tell: sends are committed in groups, and fill with small ones
 * whatever time there is; and who asks one thing after the other waits most of the time, however idle the process is.
 */
export function createLoadGauge(
  { saturatedMs }: Pick<Store, "saturatedMs">,
  waits: Pick<CallerWaits, "read">,
): () => boolean {
  const isLoopFull = createGauge(
    () => performance.eventLoopUtilization().active,
    () => performance.now(),
    FULL_LOOP,
  );
  const isStoreFull = saturatedMs && createGauge(saturatedMs, () => performance.now(), FULL_STORE);
  const areHeldUp = createGauge(
    () => waits.read().repliesMs,
    () => waits.read().cyclesMs,
    HELD_UP,
  );
  return () => {
    // all of them, whatever the first says, lest a window last for longer than a look at it
    const [areWaiting, ...areFull] = [areHeldUp(), isLoopFull(), isStoreFull?.()];
    return areWaiting && areFull.includes(true);
  };
}

/** Tells whether `readPart` rose by more than this share of what `readWhole` did, both in milliseconds, in the last window. */
function createGauge(readPart: () => number, readWhole: () => number, share: number): () => boolean {
  let part = readPart();
  let whole = readWhole();
  let measuredAt = performance.now();
  let isOver = false;
  return () => {
    const now = performance.now();
    if (now - measuredAt < WINDOW_MS) return isOver;
    const [partBefore, wholeBefore] = [part, whole];
    part = readPart();
    whole = readWhole();
    isOver = part - partBefore > share * (whole - wholeBefore);
    measuredAt = now;
    return isOver;
  };
}
