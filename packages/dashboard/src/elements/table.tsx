// A table of any length: only the visible rows are rendered. The row being read keeps its position on the screen while rows
// are added and removed, and when the reader returns from that row's page.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../shell/icon.tsx";
import { isModified, useKeys } from "../shell/keys.ts";
import { Link, leaveMark } from "../shell/navigation.tsx";
import type { Route } from "../shell/route.ts";
import { Skeleton } from "./page.tsx";
import { type RowMark, takeRowMark } from "./row-mark.ts";
import { findVisibleRows } from "./visible-rows.ts";

/** Load more rows when fewer than this many rows follow the rendered ones. */
const NEAR = 20;
/** Look for the reader's row up to this many rows further down: newer rows may have been added above it. */
const MOVED_AT_MOST = 400;
/** Height in pixels, until rows can be measured. */
const ROW_HEIGHT = 40;

let enter = () => {};

/** Moves the focus into the table that is shown: to its last focused row, to the open one, or to the first in sight. */
export function enterTable(): void {
  enter();
}

export interface Column<Row> {
  readonly heading: string;
  /** Class of the cells and of the heading. */
  readonly class?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** The value by which readers may sort the rows. Only for tables that have all rows. */
  readonly sortBy?: (row: Row) => string | number;
  /** The order in which the server returns the rows. */
  readonly order?: "ascending" | "descending";
}

export interface TableProps<Row> {
  readonly label: string;
  /** Class of the widths of the columns. */
  readonly class: string;
  /** The first column of the class `main`, else the first, has the link or button of the row. */
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are loaded. A key that is pressed meanwhile counts. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** The page that a row opens. */
  readonly to?: (row: Row) => Route;
  /** Called when a row that opens no page is opened. */
  readonly open?: (row: Row) => void;
  /** The row that is open beside the table. */
  readonly opened?: string | undefined;
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

/** The column by which the reader has sorted the rows. */
interface Sorting {
  readonly heading: string;
  readonly isDescending: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, class: widths, columns, keyOf, to, open, opened, isWhole = true, onNearEnd, onRead } = props;
  const [sorting, setSorting] = useState<Sorting>();
  const rows = useMemo(() => sort(props.rows ?? [], columns, sorting), [props.rows, sorting]);
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
  const at = placeOf(active ?? opened);

  const look = () => {
    const { current } = scroller;
    if (current === null) return;
    const { height } = current.querySelector("tbody")?.getBoundingClientRect() ?? { height: 0 };
    if (height > 0) rowHeight.current = height / rows.length;
    const { scrollTop: top } = current;
    const clientHeight = heightOf(current);
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
    else if (top + height > current.scrollTop + heightOf(current)) current.scrollTop = top + height - heightOf(current);
  };
  useLayoutEffect(() => {
    const row = scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${at + 2}"] .open`);
    if (moves > 0) row?.focus({ preventScroll: true });
  }, [moves]);
  useLayoutEffect(() => {
    const mine = () => move(0);
    enter = mine;
    return () => {
      if (enter === mine) enter = () => {};
    };
  });
  useKeys({ j: () => move(1), k: () => move(-1) });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || isModified(event)) return;
    event.preventDefault();
    move(step);
  };
  // at a click too: some browsers do not focus a link that is clicked, and a focused one may be opened again
  const onEnter = ({ target }: FocusEvent | MouseEvent) => {
    look();
    // the heading is the first row
    const place = Number((target as HTMLElement).closest("tbody tr")?.getAttribute("aria-rowindex")) - 1;
    const row = rows[place - 1];
    if (row === undefined || scroller.current === null) return;
    // the reader has chosen a row, so do not scroll back to the earlier one
    left.current = undefined;
    setActive(keyOf(row));
    const fromTop = (place - 1) * rowHeight.current - scroller.current.scrollTop;
    leaveMark({ list: label, key: keyOf(row), place, fromTop } satisfies RowMark);
  };

  const sortBy = (next: Sorting | undefined) => {
    // the reader begins again at the first row: rows that are sorted have not moved
    sight.current = { first: 0, rows: [] };
    if (scroller.current !== null) scroller.current.scrollTop = 0;
    setSorting(next);
  };

  const made = rows.slice(first, end).map((row, index) => ({ row, place: first + index }));
  const activeRow = rows[at];
  if (activeRow !== undefined && at < first) made.unshift({ row: activeRow, place: at });
  if (activeRow !== undefined && at >= end) made.push({ row: activeRow, place: at });
  const main = columns.find(({ class: name = "" }) => name.split(" ").includes("main")) ?? columns[0];
  return (
    <div class={`table-of ${widths}`}>
      <div class="rows" ref={scroller} onScroll={look}>
        <table
          aria-label={label}
          aria-rowcount={isWhole && props.rows !== undefined ? rows.length + 1 : -1}
          aria-colcount={columns.length}
          onKeyDown={onKeyDown}
          onFocusIn={onEnter}
          onClickCapture={onEnter}
          onFocusOut={look}
        >
          <thead>
            <tr class="cells" aria-rowindex={1}>
              {columns.map((column) => (
                <Heading key={column.heading} column={column} sorting={sorting} sort={sortBy} />
              ))}
            </tr>
          </thead>
          <tbody style={{ blockSize: `calc(var(--row-size) * ${rows.length})` }}>
            {made.map(({ row, place }) => (
              <tr
                key={keyOf(row)}
                class="row cells"
                aria-rowindex={place + 2}
                aria-current={opened === keyOf(row) ? "true" : undefined}
                style={{ insetBlockStart: `calc(var(--row-size) * ${place})` }}
              >
                {columns.map((column) => (
                  <td key={column.heading} class={column.class}>
                    {column === main ? (
                      <Opener to={to?.(row)} open={open && (() => open(row))}>
                        {column.cell(row)}
                      </Opener>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {props.rows === undefined && <Skeleton />}
      </div>
    </div>
  );
}

interface OpenerProps {
  readonly to: Route | undefined;
  readonly open: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** The link or button of a row. It fills the row. */
function Opener({ to, open, children }: OpenerProps) {
  if (to !== undefined)
    return (
      <Link class="open" to={to}>
        {children}
      </Link>
    );
  if (open === undefined) return <>{children}</>;
  return (
    <button type="button" class="open" aria-haspopup="dialog" onClick={open}>
      {children}
    </button>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly sort: (sorting: Sorting | undefined) => void;
}

function Heading<Row>({ column, sorting, sort }: HeadingProps<Row>) {
  const { heading, class: name, sortBy, order } = column;
  const isSorted = sorting?.heading === heading;
  const sorted = isSorted ? (sorting.isDescending ? "descending" : "ascending") : sorting === undefined && order;
  const next = isSorted
    ? sorting.isDescending
      ? undefined
      : { heading, isDescending: true }
    : { heading, isDescending: false };
  return (
    <th scope="col" class={name} aria-sort={sorted || undefined}>
      {sortBy === undefined ? (
        heading
      ) : (
        <button type="button" class="bare sort" onClick={() => sort(next)}>
          {heading}
        </button>
      )}
      {sorted && (
        <span class="sorted" data-order={sorted}>
          <Icon name="down" />
        </span>
      )}
    </th>
  );
}

function sort<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const by = columns.find(({ heading }) => heading === sorting?.heading)?.sortBy;
  if (by === undefined || sorting === undefined) return rows;
  const sign = sorting.isDescending ? -1 : 1;
  return rows.toSorted((one, other) => sign * compare(by(one), by(other)));
}

function compare(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
}

/** The height of the window in which rows are visible: that below the headings. */
function heightOf(scroller: HTMLElement): number {
  return scroller.clientHeight - (scroller.querySelector("thead")?.offsetHeight ?? 0);
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
