import { monitorEventLoopDelay } from "node:perf_hooks";
import { watchTurns } from "./longest-turn.ts";

/** Delays of the event loop, in nanoseconds; read and reset at each scrape. */
export interface LoopDelay {
  readonly max: number;
  percentile(percent: number): number;
  /** The longest of the last minute; not affected by `reset()`. */
  readonly longestTurn: number;
  reset(): void;
}

/** The sampling interval; every measured delay includes it. */
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
