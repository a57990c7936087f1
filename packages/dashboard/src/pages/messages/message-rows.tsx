// A list as long as there are messages, of which only the rows in sight are made.

import { useEffect, useRef, useState } from "preact/hooks";
import { go, Link } from "../../shell/navigation.tsx";
import { moveAmongRows } from "../row-keys.ts";
import { Status } from "../status.tsx";
import { Time } from "../time.tsx";
import { toVisible } from "../visible-text.ts";
import type { MessageRow } from "./message-list.ts";
import { findVisibleRows } from "./visible-rows.ts";

/** How near the end the next page is asked for, in rows. */
const NEAR = 20;

export interface MessageRowsProps {
  readonly rows: readonly MessageRow[];
  readonly loadNext: () => void;
}

export function MessageRows({ rows, loadNext }: MessageRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [window, setWindow] = useState({ top: 0, height: 1_000, rowHeight: 48 });
  const measure = () => {
    const { current } = list;
    if (current === null) return;
    const rowHeight = Number.parseFloat(getComputedStyle(current).getPropertyValue("--row")) || 48;
    setWindow({ top: current.scrollTop, height: current.clientHeight, rowHeight });
  };
  useEffect(() => {
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const { first, end } = findVisibleRows(rows.length, window);
  useEffect(() => {
    if (end > rows.length - NEAR) loadNext();
  }, [end, rows.length]);

  return (
    <ul
      class="rows"
      ref={list}
      onScroll={measure}
      onKeyDown={(event) => moveAmongRows(event, list.current, "a.row")}
      aria-label="Messages"
    >
      <li class="space" aria-hidden="true" style={{ height: `${first * window.rowHeight}px` }} />
      {rows.slice(first, end).map((row) => (
        <Row key={row.messageId} row={row} />
      ))}
      <li class="space" aria-hidden="true" style={{ height: `${(rows.length - end) * window.rowHeight}px` }} />
    </ul>
  );
}

function Row({ row }: { readonly row: MessageRow }) {
  const { messageId, channel, status, reason, to, subject, excerpt, merchantId, createdAt, project } = row;
  return (
    <li>
      <Link class="row" to={{ page: "message", messageId }}>
        <Time at={createdAt} />
        <span class="channel">{channel}</span>
        <span class="to">{toVisible(to)}</span>
        <Status status={status} reason={reason} />
        <span class="excerpt">
          {project !== null && <span class="project">{project}</span>}
          {subject !== null && <b>{toVisible(subject)} </b>}
          {toVisible(excerpt)}
        </span>
        <span class="merchant">{merchantId}</span>
      </Link>
    </li>
  );
}

/** Moves the focus to the first row of the list that is shown. */
export function focusRows(): void {
  document.querySelector<HTMLElement>(".rows a.row")?.focus();
}

/** The list of everything. */
export const showAll = () => go({ page: "messages", query: "" });
