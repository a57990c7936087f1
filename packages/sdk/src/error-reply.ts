/** From an error reply to the error that a caller catches. */
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

const classOfStatus: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: AuthenticationError,
  402: QuotaExceededError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitError,
};

/** Two families go by code, because their codes are spread over 400, 409 and 422. */
function classOf(status: number, code = ""): typeof ApiError {
  if (code.startsWith("consent_")) return ConsentError;
  if (code.startsWith("idempotency_")) return IdempotencyError;
  return status >= 500 ? ServerError : (classOfStatus[status] ?? ApiError);
}

/**
 * Milliseconds to wait, from `Retry-After-Ms`, else `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * Undefined when neither is there or can be read.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const exact = headers.get("retry-after-ms");
  const plain = headers.get("retry-after");
  if (exact === null && plain === null) return undefined;
  const seconds = Number(plain);
  const ms =
    exact !== null ? Number(exact) : Number.isNaN(seconds) ? Date.parse(plain ?? "") - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function messageOf(response: Response, problem: Exclude<ErrorBody, string>): string {
  const { status, headers, type } = response;
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    const target = headers.get("location");
    return `The service answered with a redirect${target ? ` to ${target}` : ""}. It was not followed, because the credentials would go there too: give the final address as baseUrl.`;
  }
  const requestId = headers.get("x-request-id");
  const trail = `HTTP ${status}${requestId ? `, request ${requestId}` : ""}`;
  const text = problem.detail ?? problem.title;
  if (text) return `${text} (${problem.code ? `${problem.code}, ` : ""}${trail})`;
  return `The reply is no problem document of the service, but ${headers.get("content-type") ?? "has no content type"} (${trail}). Is something else answering at this address?`;
}

/**
 * Builds the error for a reply that is not a success.
 *
 * @param response - Only its status and headers are read.
 * @param body - What openapi-fetch made of its body: parsed JSON, else text.
 * @param call - What is known of the call.
 */
export function errorOf(response: Response, body: unknown, call: ErrorDetails): ApiError {
  const { status, headers } = response;
  const problem: Exclude<ErrorBody, string> = typeof body === "object" && body !== null ? body : {};
  return new (classOf(status, problem.code))(messageOf(response, problem), {
    ...call,
    status,
    code: problem.code,
    errors: problem.errors ?? [],
    requestId: headers.get("x-request-id") ?? problem.requestId,
    retryAfterMs: readRetryAfter(headers),
    body: (body as ErrorBody | undefined) || undefined,
  });
}
