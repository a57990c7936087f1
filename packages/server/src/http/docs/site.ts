// The documentation's pages by path, rendered from the contract on request.

import { listCallbacks, renderCallbacks } from "./callback-page.ts";
import { type Node, toNode, toNodes, toText } from "./document.ts";
import { type Problems, renderError, renderErrorIndex } from "./error-pages.ts";
import type { Html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { errorHref, type OperationError } from "./operation-errors.ts";
import { renderOperation } from "./operation-page.ts";
import { listOperations, type Operation } from "./operations.ts";
import type { RequestExample } from "./request-example.ts";
import { listEntries, type SearchEntry } from "./search-index.ts";
import { renderSidebar, type SidebarGroup } from "./sidebar.ts";
import { renderStart } from "./start-page.ts";

export interface SiteSources {
  /** The contract. */
  readonly document: Node;
  readonly problems: Problems;
  /** By operationId. */
  readonly requestExamples: Readonly<Record<string, RequestExample>>;
  /** Whether the demo credential is offered. */
  readonly isDevelopment: boolean;
}

export interface Site {
  /** The HTML of each page, by its path. */
  readonly pages: ReadonlyMap<string, () => string>;
  readonly listEntries: () => SearchEntry[];
}

export function createSite({ document, problems, requestExamples, isDevelopment }: SiteSources): Site {
  const operations = listOperations(document);
  const callbacks = listCallbacks(document);
  const shared = sharedCodes(operations);
  const groups = sidebarGroups(document, operations, callbacks.length > 0);
  const info = toNode(document.info);
  const api = { title: toText(info.title) ?? "API", version: toText(info.version) ?? "" };
  const examples = toNode(toNode(document.components).examples);

  const frame = (title: string, path: string, content: Html) =>
    renderPage({ title, api, sidebar: renderSidebar(groups, path) }, content);
  const exampleOf = (id: string) => (Object.hasOwn(requestExamples, id) ? requestExamples[id] : undefined);
  const errorsOf = ({ errors }: Operation): OperationError[] =>
    errors.flatMap(({ status, codes }) =>
      codes.map((code) => {
        const { title = code, cause = "" } = (Object.hasOwn(problems, code) ? problems[code] : undefined) ?? {};
        return { status, code, title, cause, isShared: shared.has(code) };
      }),
    );

  const pages = new Map<string, () => string>();
  const first = operations.find(({ method, parameters }) => method === "GET" && parameters.length === 0);
  pages.set("/docs", () =>
    frame(api.title, "/docs", renderStart(document, { operations, first: first && exampleOf(first.id) })),
  );
  for (const operation of operations) {
    const { href, id, summary } = operation;
    const parts = { operation, example: exampleOf(id), isDevelopment };
    pages.set(href, () => frame(summary, href, renderOperation(document, { ...parts, errors: errorsOf(operation) })));
  }
  pages.set("/docs/errors", () => frame("Errors", "/docs/errors", renderErrorIndex(problems)));
  for (const [code, problem] of Object.entries(problems)) {
    const answering = operations.filter(({ errors }) => errors.some(({ codes }) => codes.includes(code)));
    const parts = { code, problem, operations: answering, isShared: shared.has(code) };
    const example = toNode(examples[code]).value;
    pages.set(errorHref(code), () => frame(problem.title, "/docs/errors", renderError({ ...parts, example })));
  }
  if (callbacks.length > 0) {
    pages.set("/docs/callbacks", () => frame("Callbacks", "/docs/callbacks", renderCallbacks(document, callbacks)));
  }
  return { pages, listEntries: () => listEntries(document, { operations, callbacks, problems }) };
}

/** Returns the codes that every operation can reply with. */
function sharedCodes(operations: readonly Operation[]): Set<string> {
  const [first = [], ...others] = operations.map(({ errors }) => errors.flatMap(({ codes }) => codes));
  return new Set(others.length === 0 ? [] : first.filter((code) => others.every((codes) => codes.includes(code))));
}

function sidebarGroups(document: Node, operations: readonly Operation[], hasCallbacks: boolean): SidebarGroup[] {
  const general = [
    { title: "Begin", href: "/docs" },
    { title: "Errors", href: "/docs/errors" },
    ...(hasCallbacks ? [{ title: "Callbacks", href: "/docs/callbacks" }] : []),
  ];
  const tags = toNodes(document.tags).map(({ name }) => ({
    title: toText(name) ?? "",
    links: operations.filter(({ tag }) => tag === name).map(({ summary, href }) => ({ title: summary, href })),
  }));
  return [{ title: "Guide", links: general }, ...tags];
}
