/** The return value of every method: a promise of the reply's data, with two more ways to read the outcome. */
import type { MessagingError } from "./errors.ts";
import type { OutgoingRequest } from "./outgoing-request.ts";

/** Metadata of any call. */
export interface CallMeta {
  /** Number of requests sent; 0 if the call failed before the first. */
  attempts: number;
  /** The idempotency key with which a write was sent. */
  idempotencyKey: string | undefined;
}

/** Metadata of a call that was answered. */
export interface ResponseMeta extends CallMeta {
  /** HTTP status. */
  status: number;
  headers: Headers;
  /** The service's id of the request. */
  requestId: string | undefined;
  /** Whether an earlier call with the same key did the work. The reply then shows the current state of the result. */
  replayed: boolean;
}

/** Metadata of a call that failed. Fields about the reply are present only if there was a reply. */
export type FailureMeta = CallMeta & Partial<ResponseMeta>;

export interface Success<T> {
  ok: true;
  data: T;
  meta: ResponseMeta;
}

export interface Failure {
  ok: false;
  error: MessagingError;
  meta: FailureMeta;
}

/** The outcome of a call. */
export type Outcome<T> = Success<T> | Failure;

/** A call in progress; it starts when the method is called. Awaiting it returns the data or throws a `MessagingError`. */
export interface ApiCall<T> extends Promise<T> {
  /**
   * The data together with status, headers, request id, idempotency key and whether the reply is a replay.
   *
   * @throws {MessagingError} As the call itself does.
   */
  withResponse(): Promise<{ data: T; meta: ResponseMeta }>;
  /** The outcome as a value: a failure of the call is returned, not thrown. */
  safe(): Promise<Outcome<T>>;
}

/**
 * Makes a call from a plain promise. V8 then continues the stack of an error to the line that awaits the call. A subclass of
 * Promise, or a handler in between, would end the stack here.
 *
 * @param metaOf - Called when the promise is settled.
 */
export function callOf<T>(promise: Promise<T>, metaOf: (isOk: boolean) => ResponseMeta): ApiCall<T> {
  return Object.assign(promise, {
    async withResponse() {
      return { data: await promise, meta: metaOf(true) };
    },
    async safe(): Promise<Outcome<T>> {
      try {
        return { ok: true, data: await promise, meta: metaOf(true) };
      } catch (error) {
        return { ok: false, error: error as MessagingError, meta: metaOf(false) };
      }
    },
  });
}

/**
 * Creates a finished call, for a unit test's mock of a method to return.
 *
 * @param outcome - The reply's data, or a promise of it: a rejected one is a call that failed.
 * @param meta - The metadata that `withResponse` and `safe` return. @default one request, and HTTP 200 if it succeeded
 * @example
 * vi.spyOn(client.send, "sms").mockReturnValue(endedCall({ messageId: "msg_1", merchantId: "m1", channel: "SMS", status: "QUEUED" }));
 * vi.spyOn(client.send, "sms").mockImplementation(() => endedCall(Promise.reject(new ConnectionError("No network."))));
 */
export function endedCall<T>(outcome: T | Promise<T>, meta: Partial<ResponseMeta> = {}): ApiCall<T> {
  const call = { attempts: 1, idempotencyKey: undefined };
  const reply = () => ({ status: 200, headers: new Headers(), requestId: undefined, replayed: false });
  return callOf(Promise.resolve(outcome), (isOk) => ({ ...call, ...(isOk && reply()), ...meta }) as ResponseMeta);
}

/** The metadata of a call in an error or an outcome. */
export function callMeta({ attempts, idempotencyKey }: OutgoingRequest): CallMeta {
  return { attempts, idempotencyKey };
}

/** The metadata of a finished call, without the fields about the reply if there was none. */
export function metaOf(request: OutgoingRequest): ResponseMeta {
  const { attempts, idempotencyKey, response } = request;
  if (!response) return { attempts, idempotencyKey } as ResponseMeta;
  const { status, headers } = response;
  return {
    attempts,
    idempotencyKey,
    status,
    headers,
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
