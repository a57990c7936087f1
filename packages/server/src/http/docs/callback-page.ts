// The page of the callbacks that the service posts: the contract's webhooks.

import { exampleText, renderCode } from "./code-block.ts";
import { type Node, toNode, toNodes, toText } from "./document.ts";
import { renderReplyFields } from "./field-list.ts";
import { listFields, readField } from "./fields.ts";
import { type Html, html, prose } from "./html.ts";
import { readContent, readParameter } from "./operations.ts";

export interface Callback {
  readonly type: string;
  readonly summary: string;
  readonly node: Node;
}

export function listCallbacks(document: Node): Callback[] {
  return Object.entries(toNode(document.webhooks)).map(([type, item]) => {
    const node = toNode(toNode(item).post);
    return { type, summary: toText(node.summary) ?? type, node };
  });
}

export function renderCallbacks(document: Node, callbacks: readonly Callback[]): Html {
  return html`<article class="guide"><h1>Callbacks</h1>
<p>What the service posts to the URL that a request names.</p>
${callbacks.map((callback) => renderCallback(document, callback))}</article>
`;
}

function renderCallback(document: Node, { type, summary, node }: Callback): Html {
  const content = readContent(document, node.requestBody);
  const [example] = content?.examples ?? [];
  const headers = toNodes(node.parameters).map((value) => {
    const parameter = readParameter(document, value);
    return { ...readField(document, parameter), description: parameter.description };
  });
  return html`<section aria-labelledby="${type}"><h2 id="${type}">${summary}</h2>
<p class="route"><span class="method">POST</span> <code>${type}</code></p>
${prose(toText(node.description))}
<h3>Headers</h3>${renderReplyFields(headers)}
<h3>Body</h3>${content === undefined ? "" : renderReplyFields(listFields(document, content.schema))}
${example === undefined ? "" : html`<details class="example"><summary>Example: ${example.title}</summary>${renderCode(exampleText(example.value), "json", example.title)}</details>`}</section>
`;
}
