// What to say of a request that no light handler answered: which operation it was, or which it was probably meant to be.

import { operations } from "@msgctl/contract";
import { describeAlternatives, findOperation, nameOperation } from "./operation-names.ts";

const PREFIX = "/api/v1/";

/**
 * For msw's option of that name. A request for a path of this API is refused, and the console told which operation it
 * is, or which it is like; any other is msw's to warn of.
 */
export function onUnhandledRequest(request: Request, print: { warning(): void; error(): void }): void {
  const explained = explainRequest(request.method, request.url);
  if (explained === undefined) {
    print.warning();
    return;
  }
  console.error(explained);
  print.error();
}

/** One paragraph on the request, or undefined when its path is not one of this API. */
export function explainRequest(method: string, url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  const start = pathname.indexOf(PREFIX);
  if (start < 0) return undefined;
  const baseUrl = origin + pathname.slice(0, start);
  const path = pathname.slice(start);
  const asked = `@msgctl/mocks: ${method} ${path} is not mocked.`;
  const operationId = findOperation(method, path);
  if (operationId === undefined) return `${asked} ${describeAlternatives(method, path)}`;
  const handler = `http.${method.toLowerCase()}("${operations[operationId].path}", ...)`;
  return `${asked} It is ${nameOperation(operationId)}, and no handler answers it at ${baseUrl}. Give the server ${handler} of createHandlers({ baseUrl: "${baseUrl}" }), or exampleHandlers("${baseUrl}").`;
}
