import { follow, type Node, nodeOf, nodesOf, textOf } from "./document.ts";
import { type Html, html, prose } from "./html.ts";
import { describeType } from "./schemas.ts";

/** One operation of the document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly node: Node;
  readonly id: string;
  readonly tag: string;
}

const methods = ["get", "put", "post", "delete", "patch"];

export function listOperations(document: Node): Operation[] {
  return Object.entries(nodeOf(document.paths)).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const node = nodeOf(nodeOf(item)[method]);
      const id = textOf(node.operationId);
      const tag = Array.isArray(node.tags) ? String(node.tags[0]) : "";
      return id === undefined ? [] : [{ method: method.toUpperCase(), path, node, id, tag }];
    }),
  );
}

export function renderOperation(document: Node, { method, path, node, id }: Operation): Html {
  const command = nodeOf(node["x-msgctl"]);
  return html`<section id="${id}"><h3>${textOf(node.summary)}</h3>
<p><code><span class="method">${method}</span> ${path}</code> <span class="soft">${id} · <code>msgctl ${textOf(command.group)} ${textOf(command.name)}</code></span></p>
${prose(textOf(node.description))}${renderParameters(document, node)}${renderBody(document, node)}${renderReplies(document, node)}</section>
`;
}

function renderParameters(document: Node, node: Node): Html {
  const parameters = nodesOf(node.parameters).map((parameter) => follow(document, parameter).node);
  if (parameters.length === 0) return html``;
  return html`<h4>Parameters</h4><table><tr><th>name</th><th>in</th><th>type</th><th></th><th>meaning</th></tr>
${parameters.map(
  (parameter) => html`<tr><td><code>${textOf(parameter.name)}</code></td><td>${textOf(parameter.in)}</td>
<td>${describeType(document, nodeOf(parameter.schema))}</td><td class="soft">${parameter.required === true ? "required" : "optional"}</td><td>${prose(textOf(parameter.description))}</td></tr>
`,
)}</table>`;
}

function renderBody(document: Node, node: Node): Html {
  const { node: body } = follow(document, node.requestBody);
  return body.content === undefined ? html`` : html`<h4>Body</h4>${renderContent(document, nodeOf(body.content))}`;
}

function renderContent(document: Node, content: Node): Html {
  return html`${Object.entries(content).map(([mediaType, value]) => {
    const { schema, examples } = nodeOf(value);
    return html`<p><code>${mediaType}</code>: ${describeType(document, nodeOf(schema))}</p>
${Object.values(nodeOf(examples)).map((example) => renderExample(document, example))}`;
  })}`;
}

function renderExample(document: Node, example: unknown): Html {
  const { summary, value } = follow(document, example).node;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<details><summary>${textOf(summary) ?? "Example"}</summary><pre>${text}</pre></details>
`;
}

function renderReplies(document: Node, node: Node): Html {
  const replies = Object.entries(nodeOf(node.responses)).map(([status, value]) => ({
    status,
    reply: follow(document, value).node,
  }));
  const successes = replies.filter(({ status }) => status.startsWith("2"));
  const refusals = replies.filter(({ status }) => !status.startsWith("2"));
  return html`${successes.map(
    ({ status, reply }) =>
      html`<h4>${status}</h4>${prose(textOf(reply.description))}${renderContent(document, nodeOf(reply.content))}`,
  )}<h4>Errors</h4><table><tr><th>status</th><th>codes</th><th>when</th></tr>
${refusals.map(
  ({
    status,
    reply,
  }) => html`<tr><td>${status}</td><td>${codesOf(reply).map((code) => html`<a href="/docs/errors/${code}"><code>${code}</code></a> `)}</td>
<td>${prose(textOf(reply.description))}</td></tr>
`,
)}</table>`;
}

/** The examples of a refusal are named after the codes that it can have. */
function codesOf(reply: Node): string[] {
  return Object.values(nodeOf(reply.content)).flatMap((content) => Object.keys(nodeOf(nodeOf(content).examples)));
}
