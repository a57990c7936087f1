/** The one place where the CLI meets the SDK: a request in, its answer or a typed failure out. */
import { AbortedError, ApiError, ConnectionError, CoreClient, type MessagingError, TimeoutError } from "@msgctl/sdk";
import type { Access } from "./access/access.ts";
import { isLoopback } from "./access/base-url.ts";
import { CliError } from "./errors.ts";
import { EXIT, exitCodeOfStatus } from "./exit-codes.ts";
import { whereOf } from "./fault-place.ts";
import { nodeTransport } from "./node-transport.ts";
import type { OperationRecord } from "./record.ts";
import type { RequestParts } from "./request.ts";

export interface Call {
  record: OperationRecord;
  request: RequestParts;
  access: Access;
  timeoutMs: number;
  signal: AbortSignal;
  idempotencyKey: string | undefined;
}

export interface Answer {
  data: unknown;
  /** Whether an earlier call with the same key had already done it. */
  replayed: boolean;
}

/** Makes the call. @throws {CliError} Saying what went wrong, without the hints that come from the contract. */
export async function call({ record, request, access, timeoutMs, signal, idempotencyKey }: Call): Promise<Answer> {
  const client = new CoreClient({ ...access, fetch: nodeTransport });
  const { path, query, body, headers } = request;
  const outcome = await client
    .request(
      record.method,
      record.path,
      { path: path as Record<string, string>, query, body, ...(record.output.kind === "text" && { accept: "*/*" }) },
      { headers, idempotencyKey, signal, timeoutMs },
    )
    .safe();
  if (outcome.ok) return { data: outcome.data, replayed: outcome.meta.replayed };
  throw failureOf(outcome.error, record, access.baseUrl);
}

function failureOf(error: MessagingError, record: OperationRecord, baseUrl: string): CliError {
  const { idempotencyKey } = error;
  const details = { ...(idempotencyKey !== undefined && { idempotencyKey }), cause: error };
  if (error instanceof ApiError) return refusal(error, record, details);
  if (error instanceof AbortedError) {
    return new CliError(EXIT.interrupted, "interrupted", "interrupted before the answer came", details);
  }
  if (error instanceof TimeoutError) {
    return new CliError(EXIT.network, "timeout", error.message, {
      ...details,
      hints: ["Give more time with --timeout <seconds>."],
    });
  }
  if (error instanceof ConnectionError) {
    return new CliError(EXIT.network, "connection_failed", error.message, {
      ...details,
      hints: [reachabilityHint(baseUrl)],
    });
  }
  return new CliError(EXIT.usage, "invalid_input", error.message, details);
}

function refusal(error: ApiError, record: OperationRecord, details: object): CliError {
  return new CliError(exitCodeOfStatus(error.status), error.code ?? "unexpected_reply", messageOf(error), {
    ...details,
    status: error.status,
    ...(error.requestId !== undefined && { requestId: error.requestId }),
    faults: error.errors.map((fault) => ({ where: whereOf(fault.pointer, record), message: fault.detail })),
  });
}

/** The problem's own words: code, status and request id are shown beside them. */
function messageOf(error: ApiError): string {
  const body = typeof error.body === "object" ? error.body : undefined;
  return body?.detail ?? body?.title ?? error.message;
}

function reachabilityHint(baseUrl: string): string {
  if (isLoopback(baseUrl)) return `Is a server running at ${baseUrl}? \`npm start\` starts the demo server.`;
  return `Check the address (${baseUrl}) and the network.`;
}
