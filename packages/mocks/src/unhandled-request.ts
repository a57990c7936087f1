import { HttpResponse, type UnhandledRequestCallback } from "msw";
import { describeAlternatives, findOperation, nameOperation } from "./operation-names.ts";

/** Tells of a request that no handler answers: what it was, and what there is; then has it fail. */
export function createUnhandledRequest(baseUrl: string, printError: (line: string) => void): UnhandledRequestCallback {
  return ({ method, url }) => {
    printError(describeUnhandled(baseUrl, method, new URL(url)));
    // of an error msw would make a reply, 500; this has fetch reject, as without a network
    throw HttpResponse.error();
  };
}

/** Without the query, which may hold what does not belong in a log. */
export function describeUnhandled(baseUrl: string, method: string, { origin, pathname }: URL): string {
  const start = `@msgctl/mocks: nothing answers ${method} ${origin}${pathname}.`;
  const operationId = findOperation(method, pathname);
  if (operationId !== undefined) {
    return origin === new URL(baseUrl).origin
      ? `${start} It is ${nameOperation(operationId)}: give msw the handlers with server.use(...service.handlers).`
      : `${start} It is ${nameOperation(operationId)} at another address: have the client use ${baseUrl}, the service's baseUrl.`;
  }
  return `${start} The service answers below ${baseUrl}/api/v1. ${describeAlternatives(method, pathname)}`;
}
