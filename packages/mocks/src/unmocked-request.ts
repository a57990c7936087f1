// Explains a request that no handler answered: which operation it was, or was probably meant to be. Omits its query, which
// may contain data that does not belong in a log.

import { operations } from "@msgctl/contract";
import { describeAlternatives, findOperation, nameOperation } from "./operation-names.ts";

const PREFIX = "/api/v1/";

/** For a test with example handlers: returns one paragraph, or undefined if the path is not one of this API. */
export function explainUnmocked(method: string, { origin, pathname }: URL): string | undefined {
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

/** For a test with a mock service at `baseUrl`: returns one paragraph for any request. */
export function explainUnanswered(baseUrl: string, method: string, { origin, pathname }: URL): string {
  const start = `@msgctl/mocks: nothing answers ${method} ${origin}${pathname}.`;
  const operationId = findOperation(method, pathname);
  if (operationId === undefined) {
    return `${start} The service answers below ${baseUrl}/api/v1. ${describeAlternatives(method, pathname)}`;
  }
  return origin === baseUrl
    ? `${start} It is ${nameOperation(operationId)}: give msw the handlers with server.use(...service.handlers).`
    : `${start} It is ${nameOperation(operationId)} at another address: have the client use ${baseUrl}, the service's baseUrl.`;
}
