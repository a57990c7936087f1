import { takeMark } from "../../shell/navigation.tsx";

/** Where somebody left a list. */
export interface RowMark {
  /** The list's label: other lists may be at an address too. */
  readonly list: string;
  readonly key: string;
  readonly place: number;
  /** How far the row was from the top of what was in sight, in pixels. */
  readonly fromTop: number;
}

/** Where somebody left the list at the present address, this once. */
export function takeRowMark(list: string): RowMark | undefined {
  return takeMark((left): left is RowMark => (left as RowMark | null)?.list === list);
}
