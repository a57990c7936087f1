// The columns of a table of requests.

import type { Views } from "../../api.ts";
import type { Column } from "../../elements/table.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";

export const requestColumns: Column<Views["RequestView"]>[] = [
  { heading: "Answered", class: "time soft", order: "descending", cell: ({ at }) => <Time at={at} /> },
  {
    heading: "Code",
    class: "code",
    cell: ({ status }) => (
      <span class="status-code" data-class={String(status)[0]}>
        {status}
      </span>
    ),
  },
  {
    heading: "Operation",
    class: "operation main",
    cell: ({ operationId, method, path }) => operationId ?? toVisible(`${method} ${path}`),
  },
  { heading: "Problem", class: "problem", cell: ({ code }) => code },
  { heading: "Took", class: "took amount soft", cell: ({ milliseconds }) => `${milliseconds} ms` },
];
