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

/** The mark that was left at the present address in a list, this once. */
export function takeRowMark(list: string): RowMark | undefined {
  const mark = takeMark() as Partial<RowMark> | null;
  return mark?.list === list && mark.key !== undefined ? (mark as RowMark) : undefined;
}
