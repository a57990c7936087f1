/** The progress of a run, on one terminal line that is rewritten repeatedly. */
import { formatCount, formatDuration, formatRowCount } from "../output/text/quantities.ts";
import type { Clock } from "../process/clock.ts";
import { canRewrite, type Sink } from "../process/io.ts";

export interface Counts {
  /** Rows with an outcome in this run. */
  ended: number;
  /** Rows that this run sends. */
  total: number;
  /** Rows that the service refused or left open. */
  notDone: number;
}

export interface Progress {
  show(counts: Counts): void;
  /** Removes the line. */
  clear(): void;
}

const REDRAW_MS = 100;

/** Estimates the remaining time from the moment of this call. Writes nothing if the terminal cannot rewrite a line. */
export function createProgress(stderr: Sink, { now }: Pick<Clock, "now">): Progress {
  if (!canRewrite(stderr)) return { show: () => {}, clear: () => {} };
  const begunAtMs = now();
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    show(counts) {
      const at = now();
      if (at - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = at;
      stderr.write(`\r\u001b[K${progressLine(counts, at - begunAtMs).slice(0, (stderr.columns ?? 80) - 1)}`);
    },
    clear() {
      if (drawnAtMs !== Number.NEGATIVE_INFINITY) stderr.write("\r\u001b[K");
    },
  };
}

/** Formats `1,200 of 3,000 rows (40 %), 310 a second, 6 s left, 4 not done`. */
export function progressLine({ ended, total, notDone }: Counts, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (ended * 1000) / elapsedMs : 0;
  const percent = total === 0 ? 100 : Math.floor((100 * ended) / total);
  const parts = [`${formatCount(ended)} of ${formatRowCount(total)} (${percent} %)`];
  if (rate > 0) {
    parts.push(`${rate >= 10 ? formatCount(Math.round(rate)) : rate.toFixed(1)} a second`);
    parts.push(`${formatDuration((total - ended) / rate)} left`);
  }
  if (notDone > 0) parts.push(`${formatCount(notDone)} not done`);
  return parts.join(", ");
}
