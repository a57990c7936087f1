/** Number of rows rendered above and below the visible ones, so that scrolling shows no gaps. */
const BEYOND = 10;

export interface VisibleRows {
  readonly first: number;
  /** Index of the first row after the rendered ones. */
  readonly end: number;
}

/** Finds which of `count` rows to render in a window of `height` pixels that is scrolled down by `top` pixels. */
export function findVisibleRows(
  count: number,
  { top, height, rowHeight }: { top: number; height: number; rowHeight: number },
): VisibleRows {
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + BEYOND);
  return { first: Math.min(first, count), end: Math.max(end, Math.min(first, count)) };
}
