// What to say of a request that no handler answered: which operation it was, or which it was probably meant to be.

import { type OperationEntry, operations } from "@msgctl/contract";

const PREFIX = "/api/v1/";
const table: readonly OperationEntry[] = Object.values(operations);

/**
 * For msw's option of that name. A request for a path of this API is refused, and the console told which operation it
 * is, which methods its path takes, or which paths are like it; any other is msw's to warn of.
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
  const asked = `${method} ${path} is not mocked`;
  const onPath = table.filter((operation) => isMatch(operation.path, path));
  const operation = onPath.find((candidate) => candidate.method === method);
  if (operation !== undefined) {
    const handler = `http.${method.toLowerCase()}("${operation.path}", …)`;
    return `${asked}: it is ${operation.operationId}, and no handler answers it at ${baseUrl}. Give the server ${handler} of createHandlers({ baseUrl: "${baseUrl}" }), or exampleHandlers("${baseUrl}").`;
  }
  if (onPath.length > 0) return `${asked}: the path takes ${listed(onPath)}.`;
  const similar = mostSimilar(path);
  const meant = similar.length === 0 ? "" : ` Did you mean ${listed(similar)} at ${similar[0]?.path}?`;
  return `${asked}: the contract has no such path.${meant}`;
}

function listed(found: readonly OperationEntry[]): string {
  return found.map(({ method, operationId }) => `${method} (${operationId})`).join(" or ");
}

/** Whether the path is the template with a value for each placeholder. */
function isMatch(template: string, path: string): boolean {
  const wanted = template.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment === given[index] || (segment.startsWith("{") && given[index] !== ""))
  );
}

/** The operations of the one path that agrees most with the given one, where it agrees in more than the prefix. */
function mostSimilar(path: string): OperationEntry[] {
  let best = "";
  let bestAgreement = 0;
  for (const operation of table) {
    const agreement = agreementOf(operation.path, path);
    if (agreement > bestAgreement) [best, bestAgreement] = [operation.path, agreement];
  }
  return table.filter((operation) => operation.path === best);
}

/** From 0 up to 1: the share of the longer path's letters, below the prefix, that both begin and end with. */
function agreementOf(template: string, path: string): number {
  const wanted = template.slice(PREFIX.length).split("/");
  const given = path.slice(PREFIX.length).split("/");
  const length = Math.max(wanted.length, given.length);
  let total = 0;
  for (let index = 0; index < length; index++) total += segmentAgreement(wanted[index] ?? "", given[index] ?? "");
  return total / length;
}

function segmentAgreement(wanted: string, given: string): number {
  if (wanted.startsWith("{")) return given === "" ? 0 : 0.5;
  const longest = Math.max(wanted.length, given.length, 1);
  const start = shared(wanted, given);
  const end = shared([...wanted].reverse().join(""), [...given].reverse().join(""));
  const agreement = Math.min(start + end, wanted.length, given.length) / longest;
  return agreement >= 0.5 ? agreement : 0;
}

function shared(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
