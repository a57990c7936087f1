import { performance } from "./timers.ts";

/** Of one reply, and of the time from one reply of a connection to its next: a caller that rests for longer only rests. */
const LONGEST_MS = 100;

/** For how long callers wait for replies, and for how long they go on: one that waits all the time would ask more if it could. */
export class CallerWaits {
  readonly #repliedAt = new WeakMap<object, number>();
  #repliesMs = 0;
  #cyclesMs = 0;

  /** Notes a reply on a connection that took so long, in milliseconds. The caller of the first one was only waiting. */
  noteReply(connection: object, ms: number, now = performance.now()): void {
    const before = this.#repliedAt.get(connection) ?? now - ms;
    this.#repliedAt.set(connection, now);
    this.#repliesMs += Math.min(ms, LONGEST_MS);
    this.#cyclesMs += Math.min(now - before, LONGEST_MS);
  }

  /** The replies, and the times from one to the next, in all, in milliseconds. */
  read(): { readonly repliesMs: number; readonly cyclesMs: number } {
    return { repliesMs: this.#repliesMs, cyclesMs: this.#cyclesMs };
  }
}

/** The measured window, in milliseconds: shorter ones are mostly noise. */
const WINDOW_MS = 20;
/** The shares of busy time above which they are saturated: groups of writes have pauses between them. */
const FULL_LOOP = 0.9;
const FULL_STORE = 0.5;

/**
 * Creates a gauge of the share of their time, 0 to 1, for which callers were held up over the last window because this process's
 * event loop, or its store (`saturatedMs`), was saturated; 0 where neither was. Neither tells by itself: sends fill what time there
 * is with small groups, and a caller that asks one thing after the other waits most of the time, however idle the process is.
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
