import { exampleText, renderCode } from "./code-block.ts";
import type { Node } from "./document.ts";
import { renderReplyFields, renderRequestFields } from "./field-list.ts";
import { describeType, listAlternatives, listFields, readField } from "./fields.ts";
import { type Html, html, prose } from "./html.ts";
import { type OperationError, renderErrors } from "./operation-errors.ts";
import type { Content, Operation, Reply } from "./operations.ts";
import type { RequestExample } from "./request-example.ts";
import { renderTabs } from "./request-tabs.ts";
import { renderTryIt } from "./try-it.ts";

export interface OperationParts {
  readonly operation: Operation;
  readonly example: RequestExample | undefined;
  readonly errors: readonly OperationError[];
  /** Whether the demo credential is offered. */
  readonly isDevelopment: boolean;
}

/** Renders the page of an operation: reference on the left, an example call on the right, and a form to try it. */
export function renderOperation(document: Node, { operation, example, errors, isDevelopment }: OperationParts): Html {
  const { tag, summary, method, path, description } = operation;
  return html`<article class="operation">
<header class="intro"><p class="eyebrow">${tag}</p><h1>${summary}</h1>
<p class="route"><span class="method">${method}</span> <code>${path}</code> <a class="try-link" href="#try" hidden>Try it</a></p>
${prose(description)}</header>
<div class="samples"><section aria-labelledby="request"><h2 id="request">Request</h2>
${example === undefined ? "" : renderTabs(example)}</section>${renderSample(operation.success)}</div>
<div class="reference">${renderParameters(document, operation)}${renderBody(document, operation.body)}${renderReply(document, operation.success)}${renderErrors(errors)}
${renderTryIt(operation, { isDevelopment })}</div>
</article>
`;
}

function renderParameters(document: Node, { parameters }: Operation): Html {
  const places = [...new Set(parameters.map(({ place }) => place))];
  return html`${places.map((place) => {
    const fields = parameters
      .filter((parameter) => parameter.place === place)
      .map((parameter) => ({ ...readField(document, parameter), description: parameter.description }));
    const id = `${place}-parameters`;
    return html`<section aria-labelledby="${id}"><h2 id="${id}">${titles[place] ?? place}</h2>
${renderRequestFields(fields)}</section>
`;
  })}`;
}

const titles: Readonly<Record<string, string>> = {
  path: "Path parameters",
  query: "Query parameters",
  header: "Headers",
};

function renderBody(document: Node, body: Content | undefined): Html | undefined {
  if (body === undefined) return undefined;
  const choices = listAlternatives(document, body.schema);
  const either = choices.map(
    (fields, index) =>
      html`${index > 0 ? " or " : ""}${fields.map((field, place) => html`${place > 0 ? " with " : ""}<code>${field}</code>`)}`,
  );
  const [, ...more] = body.examples;
  return html`<section aria-labelledby="body"><h2 id="body">Body</h2>
<p class="soft"><code>${body.mediaType}</code></p>
${choices.length === 0 ? "" : html`<p>At least one of ${either}.</p>`}${renderRequestFields(listFields(document, body.schema))}
${more.map(({ title, value }) => foldedExample(title, value, body.mediaType))}</section>
`;
}

function renderReply(document: Node, reply: Reply | undefined): Html | undefined {
  if (reply === undefined) return undefined;
  const { status, description, content } = reply;
  const [, ...more] = content?.examples ?? [];
  return html`<section aria-labelledby="reply"><h2 id="reply">Reply <span class="status">${status}</span></h2>
${prose(description)}${content === undefined ? html`<p class="soft">Without a body.</p>` : renderContent(document, content)}
${more.map(({ title, value }) => foldedExample(title, value, content?.mediaType))}</section>
`;
}

function renderContent(document: Node, { mediaType, schema }: Content): Html {
  const isJson = mediaType === "application/json";
  const fields = isJson ? listFields(document, schema) : [];
  const kind = isJson ? html`, ${describeType(document, schema)}` : "";
  return html`<p class="soft"><code>${mediaType}</code>${kind}</p>${fields.length === 0 ? "" : renderReplyFields(fields)}`;
}

function renderSample(reply: Reply | undefined): Html | undefined {
  const [example] = reply?.content?.examples ?? [];
  if (reply === undefined || example === undefined) return undefined;
  return html`<section aria-labelledby="sample"><h2 id="sample">Reply</h2>
${renderCode(exampleText(example.value), languageOf(reply.content?.mediaType), "the reply")}</section>`;
}

function foldedExample(title: string, value: unknown, mediaType: string | undefined): Html {
  return html`<details class="example"><summary>Example: ${title}</summary>
${renderCode(exampleText(value), languageOf(mediaType), title)}</details>
`;
}

function languageOf(mediaType: string | undefined): "json" | "xml" {
  return mediaType === "application/xml" ? "xml" : "json";
}
