/** Translates the SDK's errors into CliErrors. The contract's hints are added later (hints.ts). */

import {
  AbortedError,
  ApiError,
  ConnectionError,
  type MessagingError,
  parseJson,
  ReplyTooLargeError,
  TimeoutError,
  UnexpectedReplyError,
} from "@msgctl/sdk";
import { CliError, type FailureDetails } from "../failures/errors.ts";
import { readErrorCode } from "../failures/thrown.ts";
import { canonicalBaseUrl } from "../flags/base-url.ts";
import { findPlace } from "../flags/fault-place.ts";
import type { OperationRecord } from "../model/record.ts";
import { EXIT, toExitCode } from "../process/exit-codes.ts";
import type { Access } from "./access/access.ts";
import { adviseClosed, adviseReach, explainConnection } from "./connection-faults.ts";

/** Converts the error of a call to the operation of `record`. */
export function toCliError(error: MessagingError, record: Pick<OperationRecord, "inputs">, access: Access): CliError {
  return convert(error, error.idempotencyKey, record, access);
}

/** Converts the error of a row's call, without its idempotency key: users repeat the list, not the single call. */
export function toRowError(error: MessagingError, record: Pick<OperationRecord, "inputs">, access: Access): CliError {
  return convert(error, undefined, record, access);
}

function convert(
  error: MessagingError,
  idempotencyKey: string | undefined,
  record: Pick<OperationRecord, "inputs">,
  access: Access,
): CliError {
  const details = { ...(idempotencyKey !== undefined && { idempotencyKey }), cause: error };
  if (error instanceof ApiError)
    return toForeignReply(error, access, details) ?? toRefusal(error, record, access, details);
  if (error instanceof AbortedError) {
    const message = "interrupted before the response arrived";
    return new CliError(EXIT.interrupted, "interrupted", message, {
      ...details,
      hints: describeRepetition(idempotencyKey),
    });
  }
  if (error instanceof TimeoutError) {
    const hints = ["Allow more time with --timeout <seconds>.", ...describeRepetition(idempotencyKey)];
    return new CliError(EXIT.network, "timeout", error.message, { ...details, hints });
  }
  if (error instanceof ReplyTooLargeError)
    return new CliError(EXIT.network, "reply_too_large", error.message, {
      ...details,
      hints: describeRepetition(idempotencyKey),
    });
  if (error instanceof UnexpectedReplyError) return toUnexpectedReply(error, access, details);
  if (error instanceof ConnectionError) return toConnectionFailure(error, access, details);
  return new CliError(EXIT.usage, "invalid_input", error.message, details);
}

function toRefusal(
  error: ApiError,
  record: Pick<OperationRecord, "inputs">,
  access: Access,
  details: FailureDetails,
): CliError {
  const isOfProxy = error.code === undefined && access.proxy !== undefined;
  const problem = readProblem(error);
  return new CliError(toExitCode(error.status), error.code ?? "unexpected_reply", chooseMessage(error, problem), {
    ...details,
    status: error.status,
    ...(typeof problem?.type === "string" && { type: resolveType(problem.type, access) }),
    ...(error.requestId !== undefined && { requestId: error.requestId }),
    ...(problem && { reply: problem }),
    ...(isOfProxy && { hints: [`The response may come from the proxy that ${access.proxy?.variable} names.`] }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    faults: error.errors.map((fault) => ({ where: findPlace(fault.pointer, record), message: fault.detail })),
  });
}

/** Turns a problem's type into an address that can be opened: the contract's types are paths of the service. */
function resolveType(type: string, { baseUrl }: Access): string {
  return type.startsWith("/") ? canonicalBaseUrl(baseUrl) + type : type;
}

/** Matches the reply of an https server (nginx, Apache, Go) to a plain http request. */
const HTTP_AT_HTTPS = /plain HTTP|HTTP request to an HTTPS/;

/** Recognises replies that are not the service's: redirects, and https servers that received http. */
function toForeignReply(error: ApiError, access: Access, details: FailureDetails): CliError | undefined {
  const { status, body, message } = error;
  const fail = (text: string, hints: string[]) =>
    new CliError(EXIT.network, "unexpected_reply", text, { ...details, status, hints });
  if (status >= 300 && status < 400)
    return fail(message, [
      "If it leads to a sign-in page, sign in to the network with a browser. If it leads to the service, use that address.",
    ]);
  if (typeof body !== "string" || !HTTP_AT_HTTPS.test(body)) return undefined;
  return fail(`${new URL(access.baseUrl).origin} does not speak http`, [adviseClosed(access)]);
}

/** Matches a reference to `errors` at the end of a message; it is removed, since the faults are listed below. */
const SEE_ERRORS = /[:;] see errors\b[^.]*\.$/;

/** Picks the problem's text for people. The code, the status and the request id are shown separately. */
function chooseMessage(error: ApiError, problem: Record<string, unknown> = {}): string {
  const own = [problem.detail, problem.title].find((text) => typeof text === "string");
  const words = error.errors.length > 0 ? own?.replace(SEE_ERRORS, ".") : own;
  return words ?? error.message;
}

/** Returns the problem in the reply. If it has an integer that a number cannot hold, the SDK passes the body as text. */
function readProblem({ body }: ApiError): Record<string, unknown> | undefined {
  if (typeof body !== "string") return body && { ...body };
  try {
    const read = parseJson(body);
    return typeof read === "object" && read !== null ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

function toUnexpectedReply(error: UnexpectedReplyError, access: Access, details: FailureDetails): CliError {
  const { status, requestId, message } = error;
  return new CliError(EXIT.network, "unexpected_reply", message, {
    ...details,
    status,
    ...(requestId !== undefined && { requestId }),
    hints: [
      `Check the address (${access.baseUrl}): a gateway, a proxy or a sign-in page may be responding.`,
      ...describeRepetition(details.idempotencyKey),
    ],
  });
}

function toConnectionFailure(error: ConnectionError, access: Access, details: FailureDetails): CliError {
  const { cause } = error;
  const fault = explainConnection(cause, access);
  if (fault !== undefined) {
    const { part, message, hint, mayBeDone } = fault;
    const hints = [hint, ...(mayBeDone ? describeRepetition(details.idempotencyKey) : [])];
    return new CliError(EXIT.network, FAULT_CODES[part], message, { ...details, hints });
  }
  const isClosed = readErrorCode(cause) === "ECONNRESET";
  const message = isClosed
    ? `${new URL(access.baseUrl).origin} closed the connection without a response`
    : error.message;
  return new CliError(EXIT.network, "connection_failed", message, {
    ...details,
    hints: [isClosed ? adviseClosed(access) : adviseReach(access), ...describeRepetition(details.idempotencyKey)],
  });
}

const FAULT_CODES = { address: "connection_failed", proxy: "proxy_failed", tls: "tls_failed" } as const;

/** Hints for a write that may or may not have been carried out. */
function describeRepetition(idempotencyKey: string | undefined): string[] {
  if (idempotencyKey === undefined) return [];
  return [`The request may have succeeded. Repeat it safely with --idempotency-key ${idempotencyKey}.`];
}
