/** The state of each row, one byte per row, in pages allocated on demand: memory stays flat for long lists. */
export type RowState = "open" | "done" | "failed";

const STATES: readonly RowState[] = ["open", "done", "failed"];
const PAGE_BITS = 12;
const PAGE_ROWS = 1 << PAGE_BITS;

export class RowStates {
  readonly #pages = new Map<number, Uint8Array>();

  of(row: number): RowState {
    return STATES[this.#pages.get(row >>> PAGE_BITS)?.[row % PAGE_ROWS] ?? 0] ?? "open";
  }

  set(row: number, state: RowState): void {
    const page = row >>> PAGE_BITS;
    const rows = this.#pages.get(page) ?? new Uint8Array(PAGE_ROWS);
    this.#pages.set(page, rows);
    rows[row % PAGE_ROWS] = STATES.indexOf(state);
  }

  /** Yields the rows that are not open, in no particular order. */
  *known(): Generator<number, void, undefined> {
    for (const [page, rows] of this.#pages) {
      for (const [index, state] of rows.entries()) if (state !== 0) yield page * PAGE_ROWS + index;
    }
  }
}
