/** Limits of one call: the caller's signal, the time of each attempt, and the total time. */

import { onAbort } from "./abort-listeners.ts";

/** Time limits of each attempt and of the whole call, in milliseconds or `Infinity`. */
export interface Limits {
  timeoutMs: number;
  totalTimeoutMs: number;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The limit that was reached. After `attempt`, another attempt may begin. */
export type LimitReached = "signal" | "attempt" | "total";

/**
 * The limits of one call. They are combined by hand, because `AbortSignal.any` and `AbortSignal.timeout` cost more than the
 * rest of a call. A call ends at its limit even if its pending work ignores the signal.
 */
export class CallLimits {
  readonly #timeoutMs: number;
  #endsAt: number;
  #totalTimer: Timer;
  readonly #stopListening: (() => void) | undefined;
  #reached: LimitReached | undefined;
  #cut: ((limit: LimitReached) => void) | undefined;

  constructor(signal: AbortSignal | undefined, { timeoutMs, totalTimeoutMs }: Limits) {
    this.#timeoutMs = timeoutMs;
    this.#endsAt = performance.now() + totalTimeoutMs;
    this.#totalTimer = after(totalTimeoutMs, () => this.#end("total"));
    if (signal?.aborted) this.#reached = "signal";
    else this.#stopListening = signal && onAbort(signal, () => this.#end("signal"));
  }

  /** The limit that has ended the call, or its last attempt. */
  get reached(): LimitReached | undefined {
    return this.#reached;
  }

  /** Whether a limit has ended the whole call. */
  get isOver(): boolean {
    return this.#reached === "signal" || this.#reached === "total";
  }

  /** Milliseconds left of the whole call. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /**
   * Runs one attempt. When a limit is reached, rejects and aborts the signal. The signal is created only if it is used,
   * because creating one costs as much as everything else here.
   */
  attempt<T>(work: (signal: () => AbortSignal) => Promise<T>): Promise<T> {
    if (!this.isOver) this.#reached = undefined;
    let controller: AbortController | undefined;
    let isCut = false;
    const signal = () => {
      controller ??= new AbortController();
      if (isCut) controller.abort();
      return controller.signal;
    };
    let timer: Timer;
    return new Promise<T>((resolve, reject) => {
      // A hook may have ended the call.
      if (this.isOver) return reject(this.#reached);
      this.#cut = (limit) => {
        reject(limit);
        isCut = true;
        controller?.abort();
      };
      timer = after(this.#timeoutMs, () => this.#end("attempt"));
      work(signal).then(resolve, reject);
    }).finally(() => clearTimeout(timer));
  }

  /** Waits. Rejects when a limit is reached. */
  pause(ms: number): Promise<void> {
    let timer: Timer;
    return new Promise<void>((resolve, reject) => {
      if (this.isOver) return reject(this.#reached);
      this.#cut = reject;
      timer = setTimeout(resolve, ms);
    }).finally(() => clearTimeout(timer));
  }

  /** Waits as `pause` does, and extends the limit of the whole call by the time waited. */
  async holdBack(ms: number): Promise<void> {
    const heldAt = performance.now();
    clearTimeout(this.#totalTimer);
    await this.pause(ms);
    this.#endsAt += performance.now() - heldAt;
    this.#totalTimer = after(this.leftMs, () => this.#end("total"));
  }

  /** Releases the timers and the caller's signal, which may outlive many calls. */
  close(): void {
    clearTimeout(this.#totalTimer);
    this.#stopListening?.();
  }

  #end(limit: LimitReached): void {
    this.#reached = limit;
    this.#cut?.(limit);
  }
}

function after(ms: number, act: () => void): Timer {
  return Number.isFinite(ms) ? setTimeout(act, ms) : undefined;
}
