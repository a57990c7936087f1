// Measures how long callers wait for replies, as a gauge of load.

import { performance } from "./timers.ts";

/** Upper limit of each counted time: of one reply, and between two replies of a connection. A slower caller is idle. */
const LONGEST_MS = 100;

/** Sums up how long callers wait for replies, and the time between replies. Callers that always wait could send more. */
export class CallerWaits {
  readonly #repliedAt = new WeakMap<object, number>();
  #repliesMs = 0;
  #cyclesMs = 0;

  /** Records a reply that took `ms` on a connection. Before its first reply a caller counts as waiting. */
  noteReply(connection: object, ms: number, now = performance.now()): void {
    const before = this.#repliedAt.get(connection) ?? now - ms;
    this.#repliedAt.set(connection, now);
    this.#repliesMs += Math.min(ms, LONGEST_MS);
    this.#cyclesMs += Math.min(now - before, LONGEST_MS);
  }

  /** Returns the total time of all replies and the total time from each reply to the next, in milliseconds. */
  read(): { readonly repliesMs: number; readonly cyclesMs: number } {
    return { repliesMs: this.#repliesMs, cyclesMs: this.#cyclesMs };
  }
}

/** Minimum length of a measured window. Shorter windows are mostly noise. */
const WINDOW_MS = 20;
/** Busy shares above which the event loop and the store count as saturated. The store's is lower: it pauses between groups. */
const FULL_LOOP = 0.9;
const FULL_STORE = 0.5;

/**
 * Creates a gauge of the share of time, 0 to 1, for which callers waited in the last window. It is 0 unless the event loop or
 * the store (`saturatedMs`) was saturated. Waiting alone proves no load, because a sequential caller waits most of the time.
 * A busy store alone proves none either, because it commits small groups when it would otherwise be idle.
 */
export function createLoadGauge(waits: Pick<CallerWaits, "read">, saturatedMs?: () => number): () => number {
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
    // all three are read at every call, so that each window ends at this call
    const [waiting, busy, saturated] = [waitingShare(), busyShare(), saturatedShare?.() ?? 0];
    return busy > FULL_LOOP || saturated > FULL_STORE ? waiting : 0;
  };
}

/** Creates a gauge of the growth of `readPart` divided by that of `readWhole` in the last window. */
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
