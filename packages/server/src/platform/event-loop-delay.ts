import { monitorEventLoopDelay } from "node:perf_hooks";
import { watchTurns } from "./longest-turn.ts";

/** Moments of the event loop, in nanoseconds; read and begun anew at each scrape. */
export interface LoopDelay {
  readonly max: number;
  percentile(percent: number): number;
  /** Of the last minute: no scrape begins it anew. */
  readonly longestTurn: number;
  reset(): void;
}

/** How often the loop is looked at; what is measured includes it. */
const RESOLUTION_MS = 10;

/** Watches how late the event loop is and how long its turns are, until it is stopped. */
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
