// Checks a reply against the contract.

import { type OperationId, operations } from "@msgctl/contract";
import { findHeaderFaults } from "./headers.ts";
import { createSchemaCheck } from "./schema-check.ts";

/** The part of a request that a check needs; `url` is path and query. */
export interface CheckedRequest {
  readonly method: string;
  readonly url: string;
}

/** A reply with lower-case header names. */
export interface CheckedReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The identity of a reply, and its deviations from the contract. */
export interface Judged {
  /** Undefined if no operation has the path. */
  readonly operationId: OperationId | undefined;
  readonly status: number;
  /** The problem's code; undefined for a success. */
  readonly code: string | undefined;
  readonly faults: readonly string[];
}

const paths = (Object.keys(operations) as OperationId[]).map((operationId) => {
  const { method, path } = operations[operationId];
  return { operationId, method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) };
});

/** Creates a check that identifies a reply and lists its deviations from the contract. */
export function createReplyCheck(): (request: CheckedRequest, reply: CheckedReply) => Judged {
  const findFaults = createSchemaCheck();

  function findProblemFaults(operationId: OperationId | undefined, reply: CheckedReply, code: string): string[] {
    const { value, faults } = parseJson(reply.body);
    faults.push(...findFaults("Problem", value));
    const type = String(reply.headers["content-type"]);
    if (!type.startsWith("application/problem+json")) faults.push(`the media type of a problem is ${type}`);
    const said = fieldOf(value, "status");
    if (said !== reply.statusCode) faults.push(`the problem says ${said}, but the reply ${reply.statusCode}`);
    if (operationId === undefined) return faults;
    const errors: Readonly<Record<number, readonly string[]>> = operations[operationId].errors;
    // an undocumented 404 is a fault too, since the operation's path exists
    if (errors[reply.statusCode]?.includes(code) !== true) {
      faults.push(`${operationId} does not document ${reply.statusCode} ${code}`);
    }
    return faults;
  }

  function findSuccessFaults(operationId: OperationId, reply: CheckedReply): string[] {
    const { successStatus, responseSchema, responseIsArray, responseMediaType } = operations[operationId];
    const faults: string[] = [];
    if (reply.statusCode !== successStatus) faults.push(`${operationId} answered ${reply.statusCode}`);
    if (responseMediaType === null)
      return reply.body === "" ? faults : [...faults, "expected no body, but the reply has one"];
    const type = String(reply.headers["content-type"]);
    if (!type.startsWith(responseMediaType)) faults.push(`expected ${responseMediaType}, received ${type}`);
    if (responseSchema === null) return faults;
    const { value: view, faults: unread } = parseJson(reply.body);
    if (unread.length > 0) return [...faults, ...unread];
    if (!responseIsArray) return [...faults, ...findFaults(responseSchema, view)];
    if (!Array.isArray(view)) return [...faults, "expected a list"];
    return [...faults, ...view.flatMap((item) => findFaults(responseSchema, item))];
  }

  return ({ method, url }, reply) => {
    const [path = "/"] = url.split("?", 1);
    const operationId = paths.find((known) => known.method === method && known.pattern.test(path))?.operationId;
    const isSuccess = reply.statusCode < 300;
    const code = isSuccess ? undefined : String(fieldOf(parseJson(reply.body).value, "code"));
    const faults = findHeaderFaults(operationId, reply);
    if (code !== undefined) faults.push(...findProblemFaults(operationId, reply, code));
    else if (operationId !== undefined) faults.push(...findSuccessFaults(operationId, reply));
    return { operationId, status: reply.statusCode, code, faults };
  };
}

/** Creates a check that throws, listing all faults, for a reply that violates the contract. */
export function createContractCheck(): (request: CheckedRequest, reply: CheckedReply) => void {
  const judge = createReplyCheck();
  return (request, reply) => {
    const { faults } = judge(request, reply);
    if (faults.length === 0) return;
    const [path] = request.url.split("?", 1);
    throw new Error(
      `${request.method} ${path} violated the contract: ${faults.slice(0, 20).join("; ")}. It answered: ${reply.body.slice(0, 2_000)}`,
    );
  };
}

function parseJson(text: string): { value: unknown; faults: string[] } {
  try {
    return { value: JSON.parse(text), faults: [] };
  } catch {
    return { value: undefined, faults: ["it is not JSON"] };
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
