/** Holds back all rows of a run while the service asks one of them to wait. */

import { LONGEST_RETRY_AFTER_MS, LONGEST_SPREAD_MS, pauseBefore } from "../retries.ts";
import { readExhausted, readRetryAfter } from "../retry-after.ts";

/** The call option that passes the run's gate. It is a symbol, so it cannot collide with a caller's option. */
export const GATE = Symbol("gate");

/** Call options of a row in a bulk run. */
export interface GatedOptions {
  [GATE]?: RunGate | undefined;
}

/** If a run gets only 429 for this long, its rows fail with their `RateLimitError`, so that no run waits forever. */
export const LONGEST_HOLD_MS = 15 * 60_000;

export class RunGate {
  #opensAt = 0;
  #spreadMs = 0;
  /** Time of the first 429 since the last other reply. */
  #refusedSince: number | undefined;

  get isClosed(): boolean {
    return this.#opensAt > performance.now();
  }

  /** Milliseconds that one row waits at the closed gate, spread so that waiting rows do not continue at the same moment. */
  waitMs(): number {
    return this.#opensAt - performance.now() + Math.random() * this.#spreadMs;
  }

  /**
   * Notes a reply, which may close the gate.
   *
   * @param refusals - How often the row has got a 429 before.
   * @returns Whether the row was refused because of the run's pace. If so, the caller sends it again once the gate opens.
   */
  noteReply({ status, headers }: Pick<Response, "status" | "headers">, refusals: number): boolean {
    const asked = readRetryAfter(headers);
    if (status !== 429) {
      this.#refusedSince = undefined;
      const waitMs = status === 503 && asked ? asked : readExhausted(headers);
      this.#close(Math.min(waitMs, LONGEST_RETRY_AFTER_MS));
      return false;
    }
    const now = performance.now();
    this.#refusedSince ??= now;
    const waitMs = asked || pauseBefore(refusals, undefined);
    if (now + waitMs - this.#refusedSince > LONGEST_HOLD_MS) return false;
    this.#close(waitMs);
    return true;
  }

  #close(waitMs: number): void {
    const opensAt = performance.now() + waitMs;
    if (waitMs === 0 || opensAt <= this.#opensAt) return;
    this.#opensAt = opensAt;
    this.#spreadMs = Math.min(waitMs, LONGEST_SPREAD_MS);
  }
}
