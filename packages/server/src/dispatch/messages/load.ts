import type { CallerWaits } from "../../platform/caller-waits.ts";
import { performance } from "../../platform/timers.ts";
import type { Store } from "../../store/store.ts";

/** The measured window, in milliseconds: shorter ones are mostly noise. */
const WINDOW_MS = 20;
/** The shares of busy time above which they are saturated: groups of writes have pauses between them. */
const FULL_LOOP = 0.9;
const FULL_STORE = 0.5;

/**
 * Creates a gauge that tells for which share of their time, 0 to 1, callers were held up over the last window because this
 * process's event loop, or its store, was saturated; 0 where neither was. One of these by itself does not tell: sends are
 * committed in groups, and fill with small ones whatever time there is; and who asks one thing after the other waits most
 * of the time, however idle the process is.
 */
export function createLoadGauge(
  { saturatedMs }: Pick<Store, "saturatedMs">,
  waits: Pick<CallerWaits, "read">,
): () => number {
  const busyShare = createGauge(
    () => performance.eventLoopUtilization().active,
    () => performance.now(),
  );
  const saturatedShare = saturatedMs && createGauge(saturatedMs, () => performance.now());
  const waitingShare = createGauge(
    () => waits.read().repliesMs,
    () => waits.read().cyclesMs,
  );
  return () => {
    // all of them, whatever the first says, lest a window last for longer than a look at it
    const [waiting, busy, saturated] = [waitingShare(), busyShare(), saturatedShare?.() ?? 0];
    return busy > FULL_LOOP || saturated > FULL_STORE ? waiting : 0;
  };
}

/** Tells by which share of what `readWhole` did `readPart` rose in the last window, both in milliseconds. */
function createGauge(readPart: () => number, readWhole: () => number): () => number {
  let part = readPart();
  let whole = readWhole();
  let measuredAt = performance.now();
  let share = 0;
  return () => {
    const now = performance.now();
    if (now - measuredAt < WINDOW_MS) return share;
    const [partBefore, wholeBefore] = [part, whole];
    part = readPart();
    whole = readWhole();
    share = whole > wholeBefore ? (part - partBefore) / (whole - wholeBefore) : 0;
    measuredAt = now;
    return share;
  };
}
