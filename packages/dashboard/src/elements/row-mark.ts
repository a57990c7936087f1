import { takeMark } from "../shell/navigation.tsx";

/** The position at which a reader left a list. */
export interface RowMark {
  /** The list's label: one address may show several lists. */
  readonly list: string;
  readonly key: string;
  readonly place: number;
  /** Distance of the row from the top of the visible area, in pixels. */
  readonly fromTop: number;
}

/** Returns the position at which the reader left the list at the current address. Later calls return undefined. */
export function takeRowMark(list: string): RowMark | undefined {
  return takeMark((left): left is RowMark => (left as RowMark | null)?.list === list);
}
