// Measures how long callers wait for replies, as a gauge of load.

import { performance } from "./timers.ts";

/** The most that counts of one reply, and of the time between two replies of a connection: a slower caller is idle. */
const LONGEST_MS = 100;

/** Sums up how long callers wait for replies, and the time between replies: a caller that always waits would send more. */
export class CallerWaits {
  readonly #repliedAt = new WeakMap<object, number>();
  #repliesMs = 0;
  #cyclesMs = 0;

  /** Notes a reply on a connection, which took `ms`. Before the first one, its caller counts as waiting. */
  noteReply(connection: object, ms: number, now = performance.now()): void {
    const before = this.#repliedAt.get(connection) ?? now - ms;
    this.#repliedAt.set(connection, now);
    this.#repliesMs += Math.min(ms, LONGEST_MS);
    this.#cyclesMs += Math.min(now - before, LONGEST_MS);
  }

  /** Returns the time of all replies, and the time from each to the next, in milliseconds. */
  read(): { readonly repliesMs: number; readonly cyclesMs: number } {
    return { repliesMs: this.#repliesMs, cyclesMs: this.#cyclesMs };
  }
}

/** The measured window: shorter ones are mostly noise. */
const WINDOW_MS = 20;
/** The busy shares above which the event loop and the store are saturated: groups of writes have pauses between them. */
const FULL_LOOP = 0.9;
const FULL_STORE = 0.5;

/**
 * Creates a gauge of the share of their time, 0 to 1, that callers waited in the last window while the event loop or the store
 * (`saturatedMs`) was saturated; 0 if neither was. Both conditions are needed: sends fill idle time with small groups, and a
 * sequential caller waits most of the time.
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
    // each is read every time, so that no window lasts longer than the time between two reads
    const [waiting, busy, saturated] = [waitingShare(), busyShare(), saturatedShare?.() ?? 0];
    return busy > FULL_LOOP || saturated > FULL_STORE ? waiting : 0;
  };
}

/** Creates a gauge of the growth of `readPart` in relation to that of `readWhole` in the last window. */
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
