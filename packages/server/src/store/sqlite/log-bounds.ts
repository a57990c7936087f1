/** How long the write-ahead log may grow, and how far long lists may extend it. */
export interface LogBounds {
  /** Pages of 4 KiB in the log past which long lists make way, so that it can start over. */
  readonly mostPages: number;
  /** Milliseconds that lists in progress have to finish; then they are cut off. */
  readonly finishMs: number;
  /** Milliseconds that other lists wait to begin before they are refused. */
  readonly waitMs: number;
}

export const defaultLogBounds: LogBounds = {
  // 256 MiB: more than is written while an ordinary list is read, and little for a disk
  mostPages: 65_536,
  // how long a list takes whose client reads as fast as it can
  finishMs: 5_000,
  // as long again for the log to be moved
  waitMs: 10_000,
};
