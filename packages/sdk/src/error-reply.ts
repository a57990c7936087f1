/** Converts an error reply to the error that a caller catches. */
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConsentError,
  type ErrorBody,
  type ErrorDetails,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  ValidationError,
} from "./errors.ts";
import type { FieldProblem } from "./generated/types.ts";
import { type ExactJson, readJson } from "./int64.ts";
import { readRetryAfter } from "./retry-after.ts";

const classOfStatus: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: AuthenticationError,
  402: QuotaExceededError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  431: ValidationError,
  422: ValidationError,
  429: RateLimitError,
};

/** Chooses the error class. Codes of consent and idempotency come first, because they occur with several statuses. */
function classOf(status: number, code = ""): typeof ApiError {
  if (code.startsWith("consent_")) return ConsentError;
  if (code.startsWith("idempotency_")) return IdempotencyError;
  return status >= 500 ? ServerError : (classOfStatus[status] ?? ApiError);
}

/**
 * Builds the error for a reply that is not a success.
 *
 * @param response - Only its status and headers are read.
 * @param text - Its body.
 * @param call - Details of the call.
 */
export function errorOf(response: Response, text: string, call: ErrorDetails): ApiError {
  const { value: body, unsafe } = readProblem(text);
  const { status, headers } = response;
  // The fields may be anything if a proxy answers in the service's place.
  const fields = Object(body) as Record<string, unknown>;
  const word = (name: string) => (typeof fields[name] === "string" ? fields[name] : undefined);
  const code = word("code");
  const requestId = headers.get("x-request-id") ?? word("requestId");
  const type = headers.get("content-type") ?? "no content type";
  const foreign = `The reply (${type}) is not one of the service's own: is something else at baseUrl?`;
  const said = redirected(response) ?? word("detail") ?? word("title") ?? foreign;
  const errors = Array.isArray(fields.errors) ? (fields.errors as FieldProblem[]) : [];
  const trail = [code, `HTTP ${status}`, requestId && `request ${requestId}`].filter(Boolean).join(", ");
  return new (classOf(status, code))(`${[said, ...named(errors)].join(" ")} (${trail})`, {
    ...call,
    status,
    code,
    errors,
    requestId,
    retryAfterMs: readRetryAfter(headers),
    body: ((unsafe ? text : body) as ErrorBody) || undefined,
  });
}

const MOST_NAMED = 3;
const LONGEST_NAMED = 160;

/** The first faults in a few words: logs and error reports often show only the message. */
function named(errors: readonly FieldProblem[]): string[] {
  const lines = errors.slice(0, MOST_NAMED).map((fault) => {
    const { pointer, detail } = Object(fault);
    const line = `${pointer}: ${detail}`;
    return line.length > LONGEST_NAMED ? `${line.slice(0, LONGEST_NAMED)}…` : line;
  });
  const more = errors.length - MOST_NAMED;
  return more > 0 ? [...lines, `And ${more} more.`] : lines;
}

/** Parses an error's body, which is JSON unless something other than the service answers. */
function readProblem(text: string): ExactJson {
  try {
    return readJson(text);
  } catch {
    return { value: text };
  }
}

/** Describes a redirect; undefined for any other reply. In a browser, a script does not learn the target. */
function redirected({ headers, status, type }: Response): string | undefined {
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return undefined;
  const target = headers.get("location");
  return `The service redirects${target ? ` to ${target}` : ""}, which is not followed: baseUrl must be the final address.`;
}
