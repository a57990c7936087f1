/** Of one reply, and of the time from one request of a connection to its next: a caller that rests for longer only rests. */
const LONGEST_MS = 100;

/** For how long callers wait for replies, and for how long they go on: one that waits all the time would ask more if it could. */
export class CallerWaits {
  #repliesMs = 0;
  #cyclesMs = 0;

  noteReply(ms: number): void {
    this.#repliesMs += Math.min(ms, LONGEST_MS);
  }

  /** From one request of a connection to its next, in milliseconds. */
  noteCycle(ms: number): void {
    this.#cyclesMs += Math.min(ms, LONGEST_MS);
  }

  /** Both in all, in milliseconds. */
  read(): { readonly repliesMs: number; readonly cyclesMs: number } {
    return { repliesMs: this.#repliesMs, cyclesMs: this.#cyclesMs };
  }
}
