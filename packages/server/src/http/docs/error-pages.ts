import type { ProblemEntry } from "@msgctl/contract";
import { exampleText, renderCode } from "./code-block.ts";
import { type Html, html, prose } from "./html.ts";
import { errorHref, renderErrorList } from "./operation-errors.ts";
import type { Operation } from "./operations.ts";

export type Problems = Readonly<Record<string, ProblemEntry>>;

/** Renders the list of all problem codes, grouped by status. */
export function renderErrorIndex(problems: Problems): Html {
  const entries = Object.entries(problems).map(([code, { status, ...entry }]) => ({
    ...entry,
    ...{ code, status: String(status) },
  }));
  const statuses = [...new Set(entries.map(({ status }) => status))].sort();
  return html`<article class="guide"><h1>Errors</h1>
<p>A refusal is <code>application/problem+json</code> (RFC 9457). Decide by its <code>code</code>, which is stable; <code>title</code> and <code>detail</code> are for people.</p>
${statuses.map(
  (status) => html`<section aria-labelledby="status-${status}"><h2 id="status-${status}">${status}</h2>
${renderErrorList(entries.filter((entry) => entry.status === status))}</section>
`,
)}</article>
`;
}

export interface ErrorParts {
  readonly code: string;
  readonly problem: ProblemEntry;
  /** The whole problem, as the contract shows it. */
  readonly example: unknown;
  /** The operations that can reply with it. */
  readonly operations: readonly Operation[];
  readonly isShared: boolean;
}

/** Renders the page of a problem code: what it means, and what to do about it. */
export function renderError({ code, problem, example, operations, isShared }: ErrorParts): Html {
  const { status, title, cause, hint } = problem;
  const answering = isShared
    ? html`<p>Every one.</p>`
    : html`<ul>${operations.map(({ href, summary }) => html`<li><a href="${href}">${summary}</a></li>`)}</ul>`;
  return html`<article class="guide"><p class="eyebrow"><a href="/docs/errors">Errors</a></p>
<h1>${title}</h1>
<p class="route"><span class="method">${status}</span> <code>${code}</code></p>
<h2>When</h2>${prose(cause)}
<h2>What to do</h2>${prose(hint)}
${example === undefined ? "" : html`<h2>Reply</h2>${renderCode(exampleText(example), "json", "the reply")}`}
<p class="soft">Its <code>type</code> is <code>${errorHref(code)}</code>.</p>
<h2>Operations</h2>${answering}</article>
`;
}
