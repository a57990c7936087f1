/** How long the write-ahead log may become, and what long lists may do to it. */
export interface LogBounds {
  /** Pages of 4 KiB in the log past which long lists make way, so that it can start over. */
  readonly mostPages: number;
  /** Milliseconds that those under way have to finish; then they are cut off. */
  readonly finishMs: number;
  /** Milliseconds that others wait to begin before they are refused. */
  readonly waitMs: number;
}

export const defaultLogBounds: LogBounds = {
  // 256 MiB: more than is written while an ordinary list is read, and little for a disk
  mostPages: 65_536,
  // what a list takes whose client reads as fast as it can
  finishMs: 5_000,
  // as long again for the log to be moved
  waitMs: 10_000,
};
