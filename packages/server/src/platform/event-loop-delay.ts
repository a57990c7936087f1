// Measures the delay of the event loop and the length of its turns.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { clearImmediate, performance, setImmediate } from "./timers.ts";

/** Delays of the event loop, in nanoseconds. They are read and reset at each scrape of the metrics. */
export interface LoopDelay {
  readonly max: number;
  percentile(percent: number): number;
  /** The longest turn of the last minute. `reset()` does not affect it. */
  readonly longestTurn: number;
  reset(): void;
}

/** The sampling interval. Every measured delay includes it. */
const RESOLUTION_MS = 10;

/** Measures the delay of the event loop and the length of its turns until stopped. */
export function watchLoopDelay(): LoopDelay & { stop(): void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const turns = watchTurns();
  const late = (nanoseconds: number) => nanoseconds - RESOLUTION_MS * 1e6;
  return {
    get max() {
      return late(histogram.max);
    },
    percentile: (percent) => late(histogram.percentile(percent)),
    reset: () => histogram.reset(),
    get longestTurn() {
      return 1e6 * turns.longestMs;
    },
    stop() {
      histogram.disable();
      turns.stop();
    },
  };
}

/** Length and number of the windows over which a maximum is kept. The current window is one of them. */
const WINDOW_MS = 15_000;
const WINDOWS = 5;

/** The maximum of recent values. Reading does not reset it, so there may be any number of readers. */
export class RecentMaximum {
  readonly #maxima = new Float64Array(WINDOWS);
  #window = 0;

  /** `now` is in milliseconds and must never decrease. */
  note(value: number, now: number): void {
    const index = this.#enter(now) % WINDOWS;
    if (value > (this.#maxima[index] as number)) this.#maxima[index] = value;
  }

  /** Returns the maximum of the last 60 to 75 seconds; 0 if there was no value. */
  read(now: number): number {
    this.#enter(now);
    return Math.max(...this.#maxima);
  }

  /** Clears the windows that have expired. Returns the current one. */
  #enter(now: number): number {
    const window = Math.floor(now / WINDOW_MS);
    for (let passed = Math.max(this.#window + 1, window - WINDOWS + 1); passed <= window; passed += 1) {
      this.#maxima[passed % WINDOWS] = 0;
    }
    this.#window = window;
    return window;
  }
}

/**
 * Measures every turn of this thread's event loop until stopped. A turn is one iteration without its idle time; it delays
 * everything that arrives meanwhile. `longestMs` is the longest turn of the last minute.
 */
export function watchTurns(): { readonly longestMs: number; stop(): void } {
  const recent = new RecentMaximum();
  let busyMs = performance.now() - performance.nodeTiming.idleTime;
  let next: NodeJS.Immediate | undefined;

  function endTurn(): void {
    const now = performance.now();
    const busyBefore = busyMs;
    busyMs = now - performance.nodeTiming.idleTime;
    recent.note(busyMs - busyBefore, now);
    // an unreferenced immediate runs once per iteration, and lets the loop sleep and end
    next = setImmediate(endTurn);
    next.unref();
  }
  endTurn();

  return {
    get longestMs() {
      return recent.read(performance.now());
    },
    stop: () => clearImmediate(next),
  };
}
