// Everything that is not a success leaves here, as application/problem+json (RFC 9457).

import { type ProblemCode, problems } from "@msgctl/contract";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../operations/refusal.ts";
import { CommitInDoubt, StoreUnavailable } from "../store/store.ts";
import { BASIC_CHALLENGE } from "./basic-credentials.ts";

export const PROBLEM_TYPE = "application/problem+json";

const API_KEY_CHALLENGE = 'ApiKey realm="msgd"';

/** Seconds after which a caller may try again, for the codes that say so. */
const retryAfterSeconds: Partial<Record<ProblemCode, number>> = {
  idempotency_in_progress: 1,
  rate_limited: 1,
  outcome_unknown: 5,
  unavailable: 5,
};

/** Fastify's own refusals that have a code in the contract. All others are faults of this server. */
const fastifyCodes: Readonly<Record<string, { code: ProblemCode; detail: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: "payload_too_large",
    detail: "The body is larger than 2 MiB, the most that is read.",
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "unsupported_media_type",
    detail: "The body has no Content-Type, or one that is not read. Send JSON with Content-Type: application/json.",
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "malformed_json",
    detail: "The body ended before the number of bytes that Content-Length announced.",
  },
  // the client went away before its body was there: nobody reads the answer, and the server has no fault to log
  ECONNRESET: { code: "malformed_json", detail: "The connection ended before the body did." },
  FST_ERR_BAD_URL: {
    code: "route_not_found",
    detail: "The path has a % that is not followed by two hexadecimal digits.",
  },
};

/** Answers with the problem that the error stands for. What nobody foresaw is logged whole and told to nobody. */
export function replyWithProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toRefusal(error);
  const { status } = problems[refusal.code];
  if (status >= 500) request.log.error({ err: error, requestId: request.id }, refusal.code);
  const retryAfter = retryAfterSeconds[refusal.code];
  // whoever refused may know better
  if (retryAfter !== undefined && !reply.hasHeader("Retry-After")) reply.header("Retry-After", retryAfter);
  if (status === 401) {
    const challenges =
      request.routeOptions.config.acceptsBasic === true ? [API_KEY_CHALLENGE, BASIC_CHALLENGE] : [API_KEY_CHALLENGE];
    reply.header("WWW-Authenticate", challenges.join(", "));
  }
  return reply
    .code(status)
    .header("Content-Type", PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(describe(refusal, request));
}

/** What no code of the contract says. */
export interface BareProblem {
  readonly status: number;
  readonly title: string;
  readonly code: string;
  readonly detail: string;
}

export function replyWithBareProblem(problem: BareProblem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(problem.status)
    .header("Content-Type", PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(describeBare(problem, pathOf(request), request.id));
}

export function describeBare({ status, title, code, detail }: BareProblem, instance: string, requestId: string) {
  return { type: "about:blank", title, status, detail, instance, code, requestId };
}

function describe({ code, message, extras }: Refusal, request: FastifyRequest): object {
  const { title, status, type } = problems[code];
  return { type, title, status, detail: message, instance: pathOf(request), code, requestId: request.id, ...extras };
}

/** Never the query, which may hold what does not belong in a log. */
function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "/";
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable) {
    return new Refusal(
      "unavailable",
      "The server cannot store anything at the moment. This request changed nothing; try again.",
    );
  }
  if (error instanceof CommitInDoubt) {
    return new Refusal(
      "outcome_unknown",
      "The disk failed under this request: whether it took effect is known once the server was restarted. Repeat it then with the same Idempotency-Key; without a key it could take effect twice.",
    );
  }
  const known = fastifyCodes[(error as FastifyError | undefined)?.code ?? ""];
  if (known !== undefined) return new Refusal(known.code, known.detail);
  return new Refusal("internal_error", "The server failed, and has logged why. Name the requestId when you report it.");
}
