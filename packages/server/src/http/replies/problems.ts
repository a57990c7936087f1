// Sends error replies, as application/problem+json (RFC 9457).

import { STATUS_CODES } from "node:http";
import { type ProblemCode, problems } from "@msgctl/contract";
import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../domain/refusal.ts";
import { CommitInDoubt, StoreUnavailable } from "../../store/store.ts";
import { API_KEY_CHALLENGE } from "../credentials/authentication.ts";
import { PlannedFailure } from "../operation-faults.ts";

export const PROBLEM_TYPE = "application/problem+json";

/** The Retry-After header of the codes that have one, in seconds. */
const retryAfterSeconds: Partial<Record<ProblemCode, number>> = {
  idempotency_in_progress: 1,
  rate_limited: 1,
  outcome_unknown: 5,
  unavailable: 5,
};

/** The contract's codes for Fastify's errors. All other errors are faults of this server. */
const fastifyCodes: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "unsupported_media_type",
    detail: "The body's Content-Type is missing or not supported. Send JSON with Content-Type: application/json.",
  },
  // the client disconnected before its body was complete: not a server fault to log
  ECONNRESET: { code: "malformed_json", detail: "The connection ended before the body did." },
  // if every % is followed by two digits, this is the router's only possible reason
  FST_ERR_BAD_URL: { code: "route_not_found", detail: "The percent-encoded bytes in the path are not UTF-8." },
};

/** Matches a % that does not begin a valid escape. */
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;

/** Replies with the error's problem. Logs server errors, unless they were planned; the reply never discloses their cause. */
export function replyWithProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error, request);
  request.refusal = refusal;
  const { status } = problems[refusal.code];
  if (status >= 500 && !(refusal instanceof PlannedFailure))
    request.log.error({ err: error, requestId: request.id, address: request.loggedAddress }, refusal.code);
  const retryAfter = retryAfterSeconds[refusal.code];
  // the operation may have set a more precise value
  if (retryAfter !== undefined && !reply.hasHeader("Retry-After")) reply.header("Retry-After", retryAfter);
  if (status === 401) {
    const { challenges = [API_KEY_CHALLENGE] } = request.routeOptions.config;
    reply.header("WWW-Authenticate", challenges.join(", "));
  }
  return reply
    .code(status)
    .header("Content-Type", PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(describeRefusal(refusal, pathOf(request.url), request.id));
}

/** A problem that is not in the contract. Its title is the HTTP name of the status. */
export interface BareProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

/** Replies with a problem that is not in the contract. */
export function replyWithBareProblem(
  { status, code, detail }: BareProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const title = STATUS_CODES[status];
  return reply
    .code(status)
    .header("Content-Type", PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send({ type: "about:blank", title, status, detail, instance: pathOf(request.url), code, requestId: request.id });
}

/** Returns the members of the problem, as the contract defines them. */
export function describeRefusal({ code, message, extras }: Refusal, instance: string, requestId: string): object {
  const { title, status } = problems[code];
  return { type: PROBLEM_PAGES + code, title, status, detail: message, instance, code, requestId, ...extras };
}

/** Returns the path of a URL without its query, which may be sensitive. */
export function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "/";
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable) {
    return new Refusal(
      "unavailable",
      "The server cannot store data at the moment. This request changed nothing; try again.",
    );
  }
  if (error instanceof CommitInDoubt) {
    return new Refusal(
      "outcome_unknown",
      "The database failed, or its connection was lost, while this request was being stored: whether it took effect is not known. Repeat it with the same Idempotency-Key until it is answered; without a key it could take effect twice.",
    );
  }
  const { code = "" } = (error as FastifyError | undefined) ?? {};
  if (code === "FST_ERR_BAD_URL" && BROKEN_ESCAPE.test(pathOf(request.url))) {
    return new Refusal("route_not_found", "The path has a % that is not followed by two hexadecimal digits.");
  }
  const known = fastifyCodes[code];
  if (known !== undefined) return new Refusal(known.code, known.detail);
  return new Refusal(
    "internal_error",
    "The server failed and logged the reason. Quote the requestId when you report this.",
  );
}
