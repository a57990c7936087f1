// The search index, one small file that the page loads once.

import type { Callback } from "./callback-page.ts";
import type { Node } from "./document.ts";
import type { Problems } from "./error-pages.ts";
import { listFields } from "./fields.ts";
import { errorHref } from "./operation-errors.ts";
import type { Operation } from "./operations.ts";

export interface SearchEntry {
  readonly title: string;
  /** Shown under the title. */
  readonly detail: string;
  readonly href: string;
  /** Other terms that match. */
  readonly terms: readonly string[];
}

interface Indexed {
  readonly operations: readonly Operation[];
  readonly callbacks: readonly Callback[];
  readonly problems: Problems;
}

export function listEntries(document: Node, { operations, callbacks, problems }: Indexed): SearchEntry[] {
  return [
    ...operations.map(({ id, summary, method, path, command, tag, href, parameters, body }) => {
      const fields = body === undefined ? [] : listFields(document, body.schema).map(({ name }) => name);
      const terms = [id, `msgctl ${command}`, tag, ...parameters.map(({ name }) => name), ...fields];
      return { title: summary, detail: `${method} ${path}`, href, terms };
    }),
    ...callbacks.map(({ type, summary }) => ({
      ...{ title: summary, detail: type, href: `/docs/callbacks#${type}`, terms: ["callback", "webhook"] },
    })),
    ...Object.entries(problems).map(([code, { title, status }]) => ({
      ...{ title, detail: `${status} ${code}`, href: errorHref(code), terms: ["error"] },
    })),
  ];
}
