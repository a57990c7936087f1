/** Limits that end a wait early: the caller's signal, or the total time. */

import { onAbort } from "../abort-listeners.ts";

/** The limit that was reached. */
export type WaitEnd = "signal" | "time";

/** Limits of one wait, which may consist of many calls and pauses. */
export class WaitLimits {
  readonly #stopListening: (() => void) | undefined;
  readonly #joined = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #reached: WaitEnd | undefined;
  #wake = () => {};

  /** @param timeoutMs - Milliseconds that a timer supports; `Infinity` for none. */
  constructor(signal: AbortSignal | undefined, timeoutMs: number) {
    if (signal?.aborted) this.#end("signal");
    else this.#stopListening = signal && onAbort(signal, () => this.#end("signal"));
    if (Number.isFinite(timeoutMs)) this.#timer = setTimeout(() => this.#end("time"), timeoutMs);
  }

  get reached(): WaitEnd | undefined {
    return this.#reached;
  }

  /** Signal for the calls: aborted when either limit is reached. */
  get signal(): AbortSignal {
    return this.#joined.signal;
  }

  /** Pauses for `ms` milliseconds, or until a limit is reached. */
  async pause(ms: number): Promise<void> {
    if (this.#reached) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  /** Releases the timer and the caller's signal, which may outlive many waits. */
  close(): void {
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }

  #end(limit: WaitEnd): void {
    this.#reached ??= limit;
    this.#joined.abort();
    this.#wake();
  }
}
