// Looks up the contract's examples of replies: a success by operation, a refusal by status or problem code.

import { type ErrorCodeOf, type OperationId, operations, type Problem, type ResponseOf } from "@msgctl/contract";
import { problemHeaders, problems, replies } from "./generated/examples.ts";

type Table = typeof operations;

/** How an operation can refuse: one of its error statuses, or one of its problem codes. */
export type RefusalOf<K extends OperationId> = Extract<keyof Table[K]["errors"], number> | (ErrorCodeOf<K> & string);

/** What an operation can answer: its success, or a refusal. */
export type AnswerOf<K extends OperationId> = Table[K]["successStatus"] | RefusalOf<K>;

/** A reply as the contract shows it. */
export interface Example {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, the text of another media type, or undefined if there is no body. */
  readonly value: unknown;
}

/**
 * The contract's example of a reply's body: of the operation's success, or of a refusal by status (its first code) or by
 * code. Each call returns a new copy. Throws a RangeError that lists the operation's answers if this is none of them.
 */
export function exampleOf<K extends OperationId>(operationId: K, answer?: Table[K]["successStatus"]): ResponseOf<K>;
export function exampleOf<K extends OperationId>(operationId: K, answer: RefusalOf<K>): Problem;
export function exampleOf(operationId: OperationId, answer?: number | string): unknown {
  return findExample(operationId, answer).value;
}

/** The whole reply. Throws as `exampleOf` does. */
export function findExample(operationId: OperationId, answer?: number | string): Example {
  if (!Object.hasOwn(operations, operationId))
    throw new RangeError(`The contract has no operation ${operationId}. It has ${Object.keys(operations).join(", ")}.`);
  const { status, mediaType, headers, value } = replies[operationId];
  if (answer === undefined || answer === status)
    return { status, headers: withMediaType(headers, mediaType), value: structuredClone(value) };
  const code = findCode(operationId, answer);
  if (code === undefined) throw new RangeError(refusalOf(operationId, answer));
  return findProblem(code);
}

/** The reply with a problem, whichever operation gives it. */
export function findProblem(code: keyof typeof problems): Example {
  const value = problems[code];
  const headers = problemHeaders[value.status] ?? {};
  return {
    status: value.status,
    headers: withMediaType(headers, "application/problem+json"),
    value: structuredClone(value),
  };
}

/** Whether the operation can give this answer. */
export function isAnswerOf(operationId: OperationId, answer: number | string): boolean {
  return replies[operationId].status === answer || findCode(operationId, answer) !== undefined;
}

function findCode(operationId: OperationId, answer: number | string): keyof typeof problems | undefined {
  const errors: Readonly<Record<number, readonly (keyof typeof problems)[]>> = operations[operationId].errors;
  const codes = typeof answer === "number" ? (errors[answer] ?? []) : Object.values(errors).flat();
  return typeof answer === "number" ? codes[0] : codes.find((code) => code === answer);
}

function refusalOf(operationId: OperationId, answer: number | string): string {
  const { successStatus, errors } = operations[operationId];
  const statuses = [successStatus, ...Object.keys(errors)].join(", ");
  const codes = Object.values(errors).flat().join(", ");
  return `${operationId} does not answer ${answer}. Its statuses are ${statuses}; its problem codes are ${codes}.`;
}

function withMediaType(headers: Readonly<Record<string, string>>, mediaType: string | null): Record<string, string> {
  return mediaType === null ? { ...headers } : { ...headers, "Content-Type": mediaType };
}
