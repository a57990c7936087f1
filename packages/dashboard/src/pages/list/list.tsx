// A virtual list: only the visible rows are rendered. The row being read keeps its position on the screen while rows are
// added and removed, and when the reader returns from that row's page.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isModified, useKeys } from "../../shell/keys.ts";
import { leaveMark } from "../../shell/navigation.tsx";
import { type RowMark, takeRowMark } from "./row-mark.ts";
import { findVisibleRows } from "./visible-rows.ts";

/** Load more rows when fewer than this many rows follow the rendered ones. */
const NEAR = 20;
/** Look for the reader's row up to this many rows further down: newer rows may have been added above it. */
const MOVED_AT_MOST = 400;
/** Height in pixels, until the first row can be measured. */
const ROW_HEIGHT = 44;

let enter = () => {};

/** Moves the focus into the list on the page: to its last focused row, or else to its first visible row. */
export function enterList(): void {
  enter();
}

export interface ListProps<Row> {
  readonly label: string;
  /** The CSS class that sets the columns and their widths. */
  readonly class: string;
  /** Headings of the columns. Hidden from screen readers, since each row names its own values. */
  readonly head?: ComponentChildren;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Renders a row as one link or button with the CSS class `row`. All rows must have the same height. */
  readonly children: (row: Row) => ComponentChildren;
  /** Whether these are all the rows. @default true */
  readonly isWhole?: boolean;
  /** Called when the reader comes near the last row, and again after each load while the reader is still near it. */
  readonly onNearEnd?: () => void;
  /** Called with true while the list is scrolled down or has the focus; otherwise with false. */
  readonly onRead?: (isRead: boolean) => void;
}

/** The rows that were visible, and the index of the first of them. */
interface Sight<Row> {
  readonly first: number;
  readonly rows: readonly Row[];
}

export function List<Row>(props: ListProps<Row>) {
  const { label, class: columns, head, rows, keyOf, children, isWhole = true, onNearEnd, onRead } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRef(ROW_HEIGHT);
  const sight = useRef<Sight<Row>>({ first: 0, rows: [] });
  const [{ first, end }, setVisible] = useState(() =>
    findVisibleRows(rows.length, { top: 0, height: 1_000, rowHeight: ROW_HEIGHT }),
  );
  /** The row at which a returning reader left the list, until the list has scrolled back to it. */
  const left = useRef<RowMark | undefined>();
  /** Whether `j` or `k` was pressed while the list was empty: the first row then gets the focus. */
  const isAwaited = useRef(false);
  /** The row that has, or last had, the focus. It is rendered even when it is not visible. */
  const [active, setActive] = useState<string>();
  const [moves, setMoves] = useState(0);
  const placeOf = (key: string | undefined) => rows.findIndex((row) => keyOf(row) === key);
  const at = active === undefined ? -1 : placeOf(active);

  const look = () => {
    const { current } = scroller;
    if (current === null) return;
    const { height } = current.querySelector("li")?.getBoundingClientRect() ?? { height: 0 };
    if (height > 0) rowHeight.current = height;
    const { scrollTop: top, clientHeight } = current;
    const visible = findVisibleRows(rows.length, { top, height: clientHeight, rowHeight: rowHeight.current });
    setVisible((known) => (known.first === visible.first && known.end === visible.end ? known : visible));
    onRead?.(isReadIn(current));
    const start = Math.floor(top / rowHeight.current);
    sight.current = { first: start, rows: rows.slice(start, start + Math.ceil(clientHeight / rowHeight.current)) };
  };
  const latestLook = useRef(look);
  latestLook.current = look;

  const goBack = ({ key, place, fromTop }: RowMark) => {
    const { current } = scroller;
    if (current === null || rows.length === 0) return;
    const now = placeOf(key);
    if (now < 0 && !isWhole && rows.length <= place + MOVED_AT_MOST) return onNearEnd?.();
    left.current = undefined;
    if (now < 0) return;
    current.scrollTop = now * rowHeight.current - fromTop;
    setActive(key);
    setMoves(moves + 1);
  };

  useLayoutEffect(() => {
    left.current = takeRowMark(label);
  }, []);
  useLayoutEffect(() => {
    const { current } = scroller;
    // keep the visible rows in place, unless the list is at its top and has no focus: then new rows should appear
    if (current !== null && isReadIn(current)) {
      const moved = findMove(sight.current, placeOf, keyOf);
      if (moved !== 0) current.scrollTop += moved * rowHeight.current;
    }
    look();
    const wasAwaited = isAwaited.current;
    isAwaited.current = false;
    if (left.current !== undefined) goBack(left.current);
    else if (wasAwaited && document.activeElement === document.body) move(0);
  }, [rows]);
  useEffect(() => {
    const onResize = () => latestLook.current();
    addEventListener("resize", onResize);
    return () => removeEventListener("resize", onResize);
  }, []);
  useEffect(() => {
    if (end > rows.length - NEAR) onNearEnd?.();
  }, [end, rows.length]);

  const move = (step: number) => {
    const { current } = scroller;
    isAwaited.current = rows.length === 0;
    if (current === null || rows.length === 0) return;
    const isHere = current.contains(document.activeElement);
    const next = at < 0 ? sight.current.first : isHere ? at + step : at;
    const row = rows[next];
    if (row === undefined) return;
    setActive(keyOf(row));
    setMoves(moves + 1);
    const [top, height] = [next * rowHeight.current, rowHeight.current];
    if (top < current.scrollTop) current.scrollTop = top;
    else if (top + height > current.scrollTop + current.clientHeight)
      current.scrollTop = top + height - current.clientHeight;
  };
  useLayoutEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[aria-posinset="${at + 1}"] .row`);
    if (moves > 0) row?.focus({ preventScroll: true });
  }, [moves]);
  enter = () => move(0);
  useKeys({ j: () => move(1), k: () => move(-1) });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || isModified(event)) return;
    event.preventDefault();
    move(step);
  };
  // some browsers do not focus a link that is clicked
  const onEnter = ({ target }: FocusEvent | PointerEvent) => {
    look();
    const place = Number((target as HTMLElement).closest("[aria-posinset]")?.getAttribute("aria-posinset"));
    const row = rows[place - 1];
    if (row === undefined || scroller.current === null) return;
    // the reader has chosen a row, so do not scroll back to the earlier one
    left.current = undefined;
    setActive(keyOf(row));
    const fromTop = (place - 1) * rowHeight.current - scroller.current.scrollTop;
    leaveMark({ list: label, key: keyOf(row), place, fromTop } satisfies RowMark);
  };

  const made = rows.slice(first, end).map((row, index) => ({ row, place: first + index }));
  const activeRow = rows[at];
  if (activeRow !== undefined && at < first) made.unshift({ row: activeRow, place: at });
  if (activeRow !== undefined && at >= end) made.push({ row: activeRow, place: at });
  return (
    <div class={`list-of ${columns}`}>
      {head !== undefined && (
        <div class="row head" aria-hidden="true">
          {head}
        </div>
      )}
      <div class="rows" ref={scroller} onScroll={look}>
        <ul
          aria-label={label}
          style={{ blockSize: `calc(var(--row) * ${rows.length})` }}
          onKeyDown={onKeyDown}
          onFocusIn={onEnter}
          onPointerDown={onEnter}
          onFocusOut={look}
        >
          {made.map(({ row, place }) => (
            <li
              key={keyOf(row)}
              aria-posinset={place + 1}
              aria-setsize={isWhole ? rows.length : -1}
              style={{ insetBlockStart: `calc(var(--row) * ${place})` }}
            >
              {children(row)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function isReadIn(scroller: HTMLElement): boolean {
  return scroller.scrollTop > 0 || scroller.contains(document.activeElement);
}

/** Returns by how many rows the visible rows have moved down. Measures the first of them that still exists. */
function findMove<Row>(
  { first, rows }: Sight<Row>,
  placeOf: (key: string) => number,
  keyOf: (row: Row) => string,
): number {
  for (const [offset, row] of rows.entries()) {
    const place = placeOf(keyOf(row));
    if (place >= 0) return place - (first + offset);
  }
  return 0;
}
