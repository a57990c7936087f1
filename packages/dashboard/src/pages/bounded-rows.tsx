// Shows the first rows of a long list. A button shows the next ones.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

const STEP = 100;

export interface BoundedRows<T> {
  readonly shown: readonly T[];
  /** A button that shows more rows, if there are any. */
  readonly more: ComponentChildren;
}

export function useBoundedRows<T>(rows: readonly T[]): BoundedRows<T> {
  const [most, setMost] = useState(STEP);
  const left = rows.length - most;
  const more = left > 0 && (
    <p>
      <button type="button" onClick={() => setMost(most + STEP)}>
        Show {Math.min(left, STEP)} more
      </button>{" "}
      {most.toLocaleString()} of {rows.length.toLocaleString()} are shown.
    </p>
  );
  return { shown: rows.slice(0, most), more };
}
