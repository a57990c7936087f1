/** Translates the SDK's errors into those of this tool; the contract's hints are added later (hints.ts). */

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
import { isLoopback } from "../flags/base-url.ts";
import { findPlace } from "../flags/fault-place.ts";
import type { OperationRecord } from "../model/record.ts";
import { EXIT, toExitCode } from "../process/exit-codes.ts";
import type { Access } from "./access/access.ts";

/** Converts the error of a call that `record` and `access` describe. */
export function toCliError(error: MessagingError, record: OperationRecord, access: Access): CliError {
  const { idempotencyKey } = error;
  const details = { ...(idempotencyKey !== undefined && { idempotencyKey }), cause: error };
  if (error instanceof ApiError) return toRefusal(error, record, details);
  if (error instanceof AbortedError) {
    const message = "interrupted before the answer came";
    return new CliError(EXIT.interrupted, "interrupted", message, {
      ...details,
      hints: describeRepetition(idempotencyKey),
    });
  }
  if (error instanceof TimeoutError) {
    const hints = ["Give more time with --timeout <seconds>.", ...describeRepetition(idempotencyKey)];
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

function toRefusal(error: ApiError, record: OperationRecord, details: FailureDetails): CliError {
  const problem = readProblem(error);
  const type = problem?.type;
  return new CliError(toExitCode(error.status), error.code ?? "unexpected_reply", chooseMessage(error, problem), {
    ...details,
    status: error.status,
    ...(typeof type === "string" && { type }),
    ...(error.requestId !== undefined && { requestId: error.requestId }),
    ...(problem && { reply: problem }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    faults: error.errors.map((fault) => ({ where: findPlace(fault.pointer, record), message: fault.detail })),
  });
}

/** Where the service's words lead to the faults, which are shown below them. */
const SEE_ERRORS = /[:;] see errors\b[^.]*\.$/;

/** The problem's own words: code, status and request id are shown beside them. */
function chooseMessage(error: ApiError, problem: Record<string, unknown> = {}): string {
  const own = [problem.detail, problem.title].find((text) => typeof text === "string");
  const words = error.errors.length > 0 ? own?.replace(SEE_ERRORS, ".") : own;
  return words ?? error.message;
}

/** The problem in the reply; the SDK gives its text when it has an integer too large for a number. */
function readProblem({ body }: ApiError): Record<string, unknown> | undefined {
  if (typeof body !== "string") return body && { ...body };
  try {
    const read = parseJson(body);
    return typeof read === "object" && read !== null ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** System errors that mean no connection was made: the request cannot have been carried out. */
const UNREACHED: Readonly<Record<string, (url: URL) => string>> = {
  ECONNREFUSED: ({ origin }) => `nothing listens at ${origin}`,
  ENOTFOUND: ({ hostname }) => `there is no host ${hostname}`,
  EAI_AGAIN: ({ hostname }) => `the name ${hostname} cannot be looked up at present`,
};

/** OpenSSL's words for bytes that are not TLS: the error's code differs between versions of Node. */
const NOT_TLS = /wrong version number|packet length too long/;

const describePlainText = ({ origin, host }: URL) => `${origin} does not speak https; is it http://${host}?`;

function toUnexpectedReply(error: UnexpectedReplyError, access: Access, details: FailureDetails): CliError {
  const { status, requestId, message } = error;
  return new CliError(EXIT.network, "unexpected_reply", message, {
    ...details,
    status,
    ...(requestId !== undefined && { requestId }),
    hints: [
      `Check the address (${access.baseUrl}): a gateway, a proxy or a sign-in page may answer there.`,
      ...describeRepetition(details.idempotencyKey),
    ],
  });
}

function toConnectionFailure(error: ConnectionError, access: Access, details: FailureDetails): CliError {
  const describe = NOT_TLS.test(error.message) ? describePlainText : UNREACHED[readErrorCode(error.cause) ?? ""];
  const hints = describe === undefined ? describeRepetition(details.idempotencyKey) : [];
  return new CliError(EXIT.network, "connection_failed", describe?.(new URL(access.baseUrl)) ?? error.message, {
    ...details,
    hints: [describeReachability(access), ...hints],
  });
}

function describeReachability({ baseUrl, isDemo }: Access): string {
  if (isDemo) return "The demo server is not running: run `npm start` in this folder, and leave it running.";
  if (isLoopback(baseUrl)) return `Is a server running at ${baseUrl}? \`npm start\` starts the demo server.`;
  return `Check the address (${baseUrl}) and the network.`;
}

/** Hints for a write that may or may not have been carried out. */
function describeRepetition(idempotencyKey: string | undefined): string[] {
  if (idempotencyKey === undefined) return [];
  return [`It may have been done. Repeat it with --idempotency-key ${idempotencyKey}: it is not done twice.`];
}
