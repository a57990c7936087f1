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
