// How long the event loop was held at most. A turn is one round of the loop, from the immediates of one to those of the
// next, without the time asleep: what came in its midst waited for the rest of it.

import { performance } from "node:perf_hooks";

/** What is looked back on: a window that fills, and those before it. */
const WINDOW_MS = 15_000;
const WINDOWS = 5;

/** The most of what was noted lately. Reading changes nothing, so that any number may read. */
export class RecentMaximum {
  readonly #maxima = new Float64Array(WINDOWS);
  #window = 0;

  /** `now` in milliseconds, and never less than before. */
  note(value: number, now: number): void {
    const index = this.#enter(now) % WINDOWS;
    if (value > (this.#maxima[index] as number)) this.#maxima[index] = value;
  }

  /** Of the last minute, and up to 15 seconds more; 0 where nothing was noted. */
  read(now: number): number {
    this.#enter(now);
    return Math.max(...this.#maxima);
  }

  /** Forgets the windows that time has passed since. */
  #enter(now: number): number {
    const window = Math.floor(now / WINDOW_MS);
    for (let passed = Math.max(this.#window + 1, window - WINDOWS + 1); passed <= window; passed += 1) {
      this.#maxima[passed % WINDOWS] = 0;
    }
    this.#window = window;
    return window;
  }
}

export interface TurnWatch {
  /** The longest turn of the last minute, in milliseconds. */
  readonly longestMs: number;
  stop(): void;
}

/** Watches every turn of this thread's event loop until it is stopped; costs each a microsecond or less. */
export function watchTurns(): TurnWatch {
  const recent = new RecentMaximum();
  let busyMs = performance.now() - performance.nodeTiming.idleTime;
  let next: NodeJS.Immediate | undefined;

  function endTurn(): void {
    const now = performance.now();
    const busyBefore = busyMs;
    busyMs = now - performance.nodeTiming.idleTime;
    recent.note(busyMs - busyBefore, now);
    // one that is not referenced runs once a round, and keeps the loop neither awake nor alive
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
