// /docs: how to begin, what holds for every operation, and where each of them is.

import { renderCode } from "./code-block.ts";
import { type Node, toNode, toNodes, toText } from "./document.ts";
import { type Html, html, prose } from "./html.ts";
import type { Operation } from "./operations.ts";
import type { RequestExample } from "./request-example.ts";
import { renderTabs } from "./request-tabs.ts";

export interface StartParts {
  readonly operations: readonly Operation[];
  /** A first call that changes nothing. */
  readonly first: RequestExample | undefined;
}

export function renderStart(document: Node, { operations, first }: StartParts): Html {
  const info = toNode(document.info);
  const variables = [
    `export MSGCTL_BASE_URL=${defaultServer(document)}`,
    'export MSGCTL_API_KEY="your key"',
    'export MSGCTL_API_SECRET="your secret"',
  ];
  return html`<article class="guide"><h1>${toText(info.title)}</h1>
<p class="lead">${toText(info.summary)}</p>
<section aria-labelledby="begin"><h2 id="begin">Begin</h2>
<p>The examples of these pages take address and credential from three variables. Set them, and every one runs as it stands, once ${renderMaker(operations)} exists.</p>
<div data-origin="${defaultServer(document)}">${renderCode(variables.join("\n"), "sh", "the variables")}</div>
${first === undefined ? "" : html`<p>A first call, which changes nothing:</p>${renderTabs(first)}`}
<p>Each operation has a page with its fields, its errors and a form that sends it to this server. The contract itself is <a href="/openapi.yaml">openapi.yaml</a> or <a href="/openapi.json">openapi.json</a>.</p></section>
<section aria-labelledby="operations"><h2 id="operations">Operations</h2>
${toNodes(document.tags).map((tag) => renderTag(tag, operations))}</section>
<section aria-labelledby="rules"><h2 id="rules">What holds for all</h2>${prose(toText(info.description))}
<p><a href="/docs/errors">All errors</a>, each with what to do about it.</p></section></article>
`;
}

/** Names the merchant of the examples, with a link to the operation that creates it. */
function renderMaker(operations: readonly Operation[]): Html {
  const maker = operations.find(({ id }) => id === "upsertMerchant");
  const text = "the merchant of the examples";
  return maker === undefined ? html`${text}` : html`<a href="${maker.href}">${text}</a>`;
}

function renderTag(tag: Node, operations: readonly Operation[]): Html {
  const own = operations.filter((operation) => operation.tag === tag.name);
  return html`<h3>${toText(tag.name)}</h3>${prose(toText(tag.description))}
<ul class="index">${own.map(
    ({ href, summary, method, path }) =>
      html`<li><a href="${href}">${summary}</a> <code><span class="method">${method}</span> ${path}</code></li>
`,
  )}</ul>
`;
}

/** Returns the contract's default server URL. */
function defaultServer(document: Node): string {
  const [server] = toNodes(document.servers);
  const variables = toNode(server?.variables);
  return (toText(server?.url) ?? "").replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => toText(toNode(variables[name]).default) ?? "",
  );
}
