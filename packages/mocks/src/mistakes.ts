// Describes the faults of a request, in one readable line for each.

import { type OperationId, operations, type Problem } from "@msgctl/contract";
import { schemas } from "@msgctl/contract/schemas";
import { plannedFailureDetail } from "@msgctl/server/in-process";
import type { Refusal } from "./in-process-fetch.ts";
import { describeAlternatives, findOperation, nameOperation } from "./operation-names.ts";

/** Error codes of bugs in the client. Other refusals may be what a test is about: no consent, no quota, not found. */
const mistakenCodes: ReadonlySet<string> = new Set([
  "malformed_http",
  "headers_too_large",
  "malformed_json",
  "validation_error",
  "credentials_missing",
  "credentials_invalid",
  "route_not_found",
  "method_not_allowed",
  "not_acceptable",
  "payload_too_large",
  "unsupported_media_type",
  "idempotency_key_invalid",
  "idempotency_key_reused",
]);

/** Describes the faults of a request. Returns an empty list if the client has no bug, or if the refusal was planned. */
export function describeMistakes({ method, path, status, body }: Refusal): string[] {
  const problem = readProblem(body);
  if (problem === undefined || problem.detail === plannedFailureDetail) return [];
  const faults = problem.errors ?? [];
  if (faults.length === 0 && !mistakenCodes.has(problem.code)) return [];
  const operationId = findOperation(method, path);
  const name = operationId === undefined ? `${method} ${path}` : nameOperation(operationId);
  const start = `@msgctl/mocks: ${name} was refused with ${status} ${problem.code}`;
  if (operationId === undefined) {
    return [`${start}: ${problem.detail ?? problem.title} ${describeAlternatives(method, path)}`];
  }
  if (faults.length === 0) return [`${start}: ${problem.detail ?? problem.title}`];
  return faults.map(({ pointer, code, detail }) => {
    const fields = code === "unknown_field" ? describeFields(operationId, pointer) : "";
    return `${start} at ${pointer === "" ? "the whole" : pointer}: ${detail}${fields}`;
  });
}

/** The fields that the body may have, if the unknown field is at its top level. */
function describeFields(operationId: OperationId, pointer: string): string {
  const { bodySchema } = operations[operationId];
  if (bodySchema === null || pointer.lastIndexOf("/") !== 0) return "";
  const { properties = {} } = schemas[bodySchema as keyof typeof schemas] as { properties?: object };
  return ` Its fields are ${Object.keys(properties).join(", ")}.`;
}

function readProblem(body: string): Problem | undefined {
  try {
    return JSON.parse(body) as Problem;
  } catch {
    return undefined;
  }
}
