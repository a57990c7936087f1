// Handlers that answer with the contract's examples, for msw in a browser or in Node. They keep no state.

import { type OperationId, operations, type Problem, type ProblemCode } from "@msgctl/contract";
import { delay, type HttpHandler, HttpResponse, http } from "msw";
import { type AnswerOf, type Example, findExample, findProblem, isAnswerOf } from "./example.ts";
import { toPattern } from "./pattern.ts";

export interface ExampleHandlersOptions {
  /** How long each reply takes, in milliseconds. @default 0 */
  readonly delayMs?: number;
  /** The status that every operation answers if it documents that status. Other operations succeed. @default success */
  readonly status?: number;
  /** The answers of single operations, as a status or a problem code. Overrides `status`. */
  readonly answers?: { readonly [K in OperationId]?: AnswerOf<K> };
}

/**
 * Creates a handler for each operation of the contract, which answers with the contract's example. Does not check requests;
 * the stateful mock does. Throws a RangeError if no operation documents `status`, or an operation does not document its
 * entry in `answers`.
 *
 * @param baseUrl the address given to the client under test, such as `https://api.example.com`; `*` is any
 */
export function exampleHandlers(baseUrl: string, options: ExampleHandlersOptions = {}): HttpHandler[] {
  const { delayMs = 0, status, answers = {} } = options;
  const ids = Object.keys(operations) as OperationId[];
  if (status !== undefined && !ids.some((id) => isAnswerOf(id, status)))
    throw new RangeError(`No operation of the contract answers ${status}.`);
  const unknown = Object.keys(answers).filter((id) => !Object.hasOwn(operations, id));
  if (unknown.length > 0) throw new RangeError(`The contract has no operation ${unknown.join(", ")}.`);
  const answerOf = (id: OperationId) =>
    answers[id] ?? (status !== undefined && isAnswerOf(id, status) ? status : undefined);
  // msw uses the first match: a literal path segment goes before a {placeholder}
  const inOrder = [...ids].sort((a, b) => operations[a].pathParameters.length - operations[b].pathParameters.length);
  return inOrder.map((id) => {
    const { method, path } = operations[id];
    const example = findExample(id, answerOf(id));
    return http[method.toLowerCase() as Lowercase<typeof method>](toPattern(baseUrl, path), async () => {
      if (delayMs > 0) await delay(delayMs);
      return toResponse(example);
    });
  });
}

/**
 * The reply with a problem, with status, headers and media type as the service sends them. For your own handlers:
 * `({ response }) => response.untyped(problemResponse("quota_exceeded"))`.
 *
 * @param changes fields of the problem that differ from the contract's example
 */
export function problemResponse(code: ProblemCode, changes: Partial<Omit<Problem, "code" | "status">> = {}): Response {
  const { value, ...example } = findProblem(code);
  return toResponse({ ...example, value: { ...(value as Problem), ...changes } });
}

function toResponse({ status, headers, value }: Example): HttpResponse<string | null> {
  const isText = value === undefined || headers["Content-Type"]?.endsWith("json") !== true;
  const body = isText ? ((value as string | undefined) ?? null) : JSON.stringify(value);
  return new HttpResponse(body, { status, headers });
}
