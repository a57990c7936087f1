/** Rows outside the window that are rendered too, so that scrolling shows no gaps. */
const BEYOND = 10;

export interface VisibleRows {
  readonly first: number;
  /** The first row that is no longer visible. */
  readonly end: number;
}

/** Finds which of `count` rows of `rowHeight` pixels are in a window of `height` pixels scrolled by `top`. */
export function findVisibleRows(
  count: number,
  { top, height, rowHeight }: { top: number; height: number; rowHeight: number },
): VisibleRows {
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + BEYOND);
  return { first: Math.min(first, count), end: Math.max(end, Math.min(first, count)) };
}
