/** How far a run is, on one line of a terminal that is written over and over. */
import type { Sink } from "../process/io.ts";

export interface Counts {
  /** Rows with an outcome in this run. */
  ended: number;
  /** Rows that were open when it began. */
  total: number;
  /** Those of them that the service refused or left open. */
  notDone: number;
}

export interface Progress {
  show(counts: Counts): void;
  /** Takes the line away. */
  clear(): void;
}

const REDRAW_MS = 100;

/** Off a terminal it is silent. */
export function createProgress(stderr: Sink, isShown: boolean, now: () => number = Date.now): Progress {
  if (!isShown || !stderr.isTTY) return { show: () => {}, clear: () => {} };
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

/** `1,200 of 3,000 rows (40 %), 310 a second, 6 s left, 4 not done`. */
export function progressLine({ ended, total, notDone }: Counts, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (ended * 1000) / elapsedMs : 0;
  const parts = [`${grouped(ended)} of ${rowsOf(total)} (${total === 0 ? 100 : Math.floor((100 * ended) / total)} %)`];
  if (rate > 0) {
    parts.push(`${rate >= 10 ? grouped(Math.round(rate)) : rate.toFixed(1)} a second`);
    parts.push(`${duration((total - ended) / rate)} left`);
  }
  if (notDone > 0) parts.push(`${grouped(notDone)} not done`);
  return parts.join(", ");
}

export function rowsOf(count: number): string {
  return count === 1 ? "1 row" : `${grouped(count)} rows`;
}

export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** `90 s`, `5 min`, `2.0 h` */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 100) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
