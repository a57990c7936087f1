// The errors of an operation: its own listed, and those shared by every operation folded.

import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import { type Html, html, prose } from "./html.ts";

export interface OperationError {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  /** When it occurs. */
  readonly cause: string;
  /** Whether every operation can answer with it. */
  readonly isShared: boolean;
}

export function errorHref(code: string): string {
  return PROBLEM_PAGES + encodeURIComponent(code);
}

export function renderErrors(errors: readonly OperationError[]): Html | undefined {
  if (errors.length === 0) return undefined;
  const own = errors.filter(({ isShared }) => !isShared);
  const shared = errors.filter(({ isShared }) => isShared);
  const common = html`<details class="inner"><summary>${shared.length} that every operation can answer with</summary>${renderErrorList(shared)}</details>`;
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p class="soft">Each code leads to what to do about it.</p>
${own.length === 0 ? "" : renderErrorList(own)}${shared.length === 0 ? "" : common}</section>
`;
}

export function renderErrorList(errors: readonly Omit<OperationError, "isShared">[]): Html {
  return html`<ul class="errors">${errors.map(
    ({ status, code, title, cause }) =>
      html`<li><p><span class="status">${status}</span> <a href="${errorHref(code)}"><code>${code}</code></a> <span class="soft">${title}</span></p>${prose(cause)}</li>
`,
  )}</ul>`;
}
