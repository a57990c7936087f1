import type { ProblemEntry } from "@msgctl/contract";
import { type Node, nodeOf, nodesOf, textOf } from "./document.ts";
import { page } from "./frame.ts";
import { html, prose } from "./html.ts";
import { listOperations, renderOperation } from "./operations.ts";
import { renderSchema } from "./schemas.ts";

/** The whole contract as one page: operations by tag, then errors, then schemas. */
export function renderContract(document: Node, problems: Readonly<Record<string, ProblemEntry>>): string {
  const info = nodeOf(document.info);
  const operations = listOperations(document);
  const tags = nodesOf(document.tags).map((tag) => ({
    name: textOf(tag.name) ?? "",
    description: textOf(tag.description),
    operations: operations.filter((operation) => operation.tag === tag.name),
  }));
  const schemas = Object.entries(nodeOf(nodeOf(document.components).schemas));
  const content = html`<header><h1>${textOf(info.title)} <span class="soft">${textOf(info.version)}</span></h1>
${prose(textOf(info.description))}
<p><a href="/openapi.yaml">openapi.yaml</a> · <a href="/openapi.json">openapi.json</a></p></header>
<nav><h2>Operations</h2>${tags.map(
    (tag) => html`<h3>${tag.name}</h3><ul>
${tag.operations.map(
  ({
    id,
    method,
    path,
    node,
  }) => html`<li><a href="#${id}">${textOf(node.summary)}</a> <code class="soft">${method} ${path}</code></li>
`,
)}</ul>`,
  )}</nav>
<main>${tags.map(
    (tag) => html`<section><h2>${tag.name}</h2>${prose(tag.description)}
${tag.operations.map((operation) => renderOperation(document, operation))}</section>
`,
  )}<section id="errors"><h2>Errors</h2><table><tr><th>status</th><th>code</th><th>title</th></tr>
${Object.entries(problems).map(
  ([
    code,
    { status, title },
  ]) => html`<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${title}</td></tr>
`,
)}</table></section>
<section><h2>Schemas</h2>${schemas.map(([name, schema]) => renderSchema(document, name, schema))}</section></main>`;
  return page(textOf(info.title) ?? "msgd", content);
}

/** What one problem code means, and what to do about it. */
export function renderProblem(code: string, { status, title, cause, hint, type }: ProblemEntry): string {
  return page(
    `${code}: ${title}`,
    html`<main><p><a href="/docs#errors">All errors</a></p>
<h1>${title}</h1>
<table><tr><th>code</th><td><code>${code}</code></td></tr><tr><th>status</th><td>${status}</td></tr>
<tr><th>type</th><td><code>${type}</code></td></tr></table>
<h2>When</h2>${prose(cause)}
<h2>What to do</h2>${prose(hint)}</main>`,
  );
}
