/**
 * Every error a call can end with. `instanceof` tells a caller what to do, and `code` why.
 * Nothing here may contain a credential: errors are logged in full.
 */
import type { FieldProblem, Problem, ProblemCode } from "./generated/types.ts";

/** A documented error code, or one that a newer service has added. */
export type ErrorCode = ProblemCode | (string & {});

/**
 * Body of an error reply: a problem document, which may lack fields if a proxy sent it. The body is text if it is not JSON,
 * such as a proxy's page, or if it contains an integer that a number cannot represent.
 */
export type ErrorBody = Partial<Problem> | string;

/** Details of the call that an error belongs to. */
export interface ErrorDetails {
  /** Idempotency key of the write. Repeating the same call with this key has no second effect. */
  idempotencyKey?: string | undefined;
  /** Number of requests sent, including the first. */
  attempts?: number | undefined;
}

/** Details of a reply with an integer that a number cannot represent. */
export interface UnsafeIntegerDetails extends ErrorDetails {
  pointer: string;
  digits: string;
  data: unknown;
  requestId?: string | undefined;
}

/** Details of a 2xx reply that does not match the contract. */
export interface UnexpectedReplyDetails extends ErrorDetails {
  status: number;
  requestId?: string | undefined;
}

/** Details of an error reply. */
export interface ApiErrorDetails extends ErrorDetails {
  status: number;
  code?: ErrorCode | undefined;
  errors: readonly FieldProblem[];
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  body?: ErrorBody | undefined;
}

/**
 * Base class of all errors of a call. `instanceof` works for the errors of every copy of this package in a process.
 */
export class MessagingError extends Error {
  /**
   * Name of the class, even if a minifier renames the class. Other copies of this package recognize a class by it.
   *
   * @internal
   */
  static readonly msgctlKind: string = "MessagingError";
  declare readonly idempotencyKey?: string;
  declare readonly attempts?: number;

  constructor(message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.msgctlKind;
    // Unknown details stay absent, so that a printed error shows no `undefined`.
    for (const [name, value] of Object.entries(details)) if (value !== undefined) Reflect.set(this, name, value);
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: each class asks for its own kind
    // A subclass of the caller's own inherits its kind.
    if (Object.hasOwn(this, "msgctlKind"))
      for (let each = Object(value).constructor; each; each = Object.getPrototypeOf(each))
        if (each.msgctlKind === this.msgctlKind) return true;
    return super[Symbol.hasInstance](value);
    // biome-ignore-end lint/complexity/noThisInStatic: each class asks for its own kind
  }
}

/** Refused before anything was sent: a missing credential, a path value that would change the path, a malformed key. */
export class UsageError extends MessagingError {
  /** @internal */
  static override readonly msgctlKind: string = "UsageError";
}

/** No usable reply came: the network failed (see `cause`) or the reply could not be read. The call may have taken effect. */
export class ConnectionError extends MessagingError {
  /** @internal */
  static override readonly msgctlKind: string = "ConnectionError";
}

/**
 * A 2xx reply does not match the contract, so something other than the service may have answered. It is unknown whether the
 * call took effect; it was retried with the same key.
 */
export class UnexpectedReplyError extends ConnectionError {
  /** HTTP status. */
  declare readonly status: number;
  /** The id of the request, if the reply has one. */
  declare readonly requestId?: string;
  /** @internal */
  static override readonly msgctlKind: string = "UnexpectedReplyError";

  constructor(message: string, details: UnexpectedReplyDetails) {
    super(message, details);
  }
}

/** `timeoutMs` or `totalTimeoutMs` passed without a complete reply. */
export class TimeoutError extends ConnectionError {
  /** @internal */
  static override readonly msgctlKind: string = "TimeoutError";
}

/** The caller's `signal`, or a mock of the network, ended the call; `cause` is the reason. */
export class AbortedError extends MessagingError {
  /** @internal */
  static override readonly msgctlKind: string = "AbortedError";
}

/**
 * The call succeeded, but its reply contains an integer beyond ±(2^53 − 1), which a number would round. It is never
 * retried. `{ exactIntegers: true }` on the call returns such integers as `bigint`.
 */
export class UnsafeIntegerError extends MessagingError {
  /** Position of the first such integer, as a JSON Pointer (RFC 6901): `/limits/smsLimit`. */
  declare readonly pointer: string;
  /** The exact digits of this integer. */
  declare readonly digits: string;
  /** The whole reply, with a `bigint` in the place of each such integer. */
  declare readonly data: unknown;
  /** The service's id of the request, for a support case. */
  declare readonly requestId?: string;
  /** @internal */
  static override readonly msgctlKind: string = "UnsafeIntegerError";

  constructor(details: UnsafeIntegerDetails) {
    const { pointer, digits } = details;
    super(
      `The call was done, but a number cannot represent ${digits} at ${pointer} of its reply. ` +
        "See `data`, or pass { exactIntegers: true }.",
      details,
    );
  }
}

/** The reply is longer than `maxReplyBytes`. A write has taken effect, and is not sent again. */
export class ReplyTooLargeError extends MessagingError {
  /** @internal */
  static override readonly msgctlKind: string = "ReplyTooLargeError";
}

/** The service answered with an error. */
export class ApiError extends MessagingError {
  /** HTTP status; 0 if a browser hides the status of a redirect. */
  declare readonly status: number;
  /** Stable code of the problem; absent if something other than the service answered. */
  declare readonly code?: ErrorCode;
  /** For `validation_error` and similar codes, up to 100 faults of the request; `body.moreFaults` counts further ones. */
  declare readonly errors: readonly FieldProblem[];
  /** The service's id of the request, for a support case. */
  declare readonly requestId?: string;
  /** How long the service asks to wait before the next attempt, in milliseconds. */
  declare readonly retryAfterMs?: number;
  /** The body of the reply; absent if there was none. */
  declare readonly body?: ErrorBody;
  /** @internal */
  static override readonly msgctlKind: string = "ApiError";

  constructor(message: string, details: ApiErrorDetails) {
    super(message, details);
  }
}

/** The request is not allowed by the contract (400, 413, 415, 431), or asks for something impossible (422). */
export class ValidationError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "ValidationError";
}

/** The credential is missing, wrong or revoked (401). */
export class AuthenticationError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "AuthenticationError";
}

/** The credential is valid, but does not permit this (403). */
export class PermissionError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "PermissionError";
}

/** The object that the request names does not exist for this tenant (404). */
export class NotFoundError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "NotFoundError";
}

/** The current state of the object that the request names does not allow the request (409). */
export class ConflictError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "ConflictError";
}

/** The merchant's allowance and credits do not cover the send (402). */
export class QuotaExceededError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "QuotaExceededError";
}

/** The recipient has not opted in, or has opted out. */
export class ConsentError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "ConsentError";
}

/** The idempotency key is malformed, was used with another payload, or belongs to a call that is still in progress. */
export class IdempotencyError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "IdempotencyError";
}

/** Too many requests (429); see `retryAfterMs`. */
export class RateLimitError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "RateLimitError";
}

/** The service failed (5xx). A write may or may not have taken effect: send it again with the same key. */
export class ServerError extends ApiError {
  /** @internal */
  static override readonly msgctlKind: string = "ServerError";
}
