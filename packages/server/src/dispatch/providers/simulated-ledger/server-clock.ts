/** An answer that took longer says too little about the time at the server. */
const PROMPT_MS = 1_000;

/**
 * Estimates what a database server's clock reads, from its answers. It counts on the machine's steady clock, so that the
 * time in which this process stood still passes too.
 */
export class ServerClock {
  #offsetMs = Number.POSITIVE_INFINITY;

  /** Epoch milliseconds, never ahead of the server; before its first answer, the end of time. */
  now(): number {
    return performance.now() + this.#offsetMs;
  }

  /** Notes what the server's clock read at some time since `askedAt`, which is of `performance.now()`. */
  note(serverMs: number, askedAt: number): void {
    const answeredAt = performance.now();
    if (Number.isFinite(this.#offsetMs) && answeredAt - askedAt > PROMPT_MS) return;
    this.#offsetMs = serverMs - answeredAt;
  }
}
