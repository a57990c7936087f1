/** What every method returns: a promise of the reply's data, with two more ways to read the outcome. */
import type { MessagingError } from "./errors.ts";
import type { OutgoingRequest } from "./outgoing-request.ts";

/** What is known of any call. */
export interface CallMeta {
  /** Requests made; 0 when the call was refused before the first. */
  attempts: number;
  /** The key a write was sent under. */
  idempotencyKey: string | undefined;
}

/** What is known of a call that was answered. */
export interface ResponseMeta extends CallMeta {
  /** HTTP status. */
  status: number;
  headers: Headers;
  /** The service's id of the request. */
  requestId: string | undefined;
  /** Whether an earlier call under the same key had done it, and this reply tells its present state. */
  replayed: boolean;
}

/** What is known of a call that failed; the parts about the reply only where there was one. */
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

/** How a call ended. */
export type Outcome<T> = Success<T> | Failure;

/** What is left of a call that is over; most callers want no more of it than the data. */
export type Ended<T> = { request: OutgoingRequest } & (
  | { ok: true; data: T; response: Response }
  | { ok: false; error: MessagingError; response: Response | undefined }
);

/** A call on its way; it was started when it was made. Awaited, it gives the data or throws a `MessagingError`. */
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

/** A call from the promise of its end. */
export class StartedCall<T> extends Promise<T> implements ApiCall<T> {
  readonly #ended: Promise<Ended<T>>;

  constructor(ending: Promise<Ended<T>>) {
    super((resolve, reject) => {
      ending.then((ended) => (ended.ok ? resolve(ended.data) : reject(ended.error)), reject);
    });
    this.#ended = ending;
  }

  /** `then` and its like make plain promises: there is no outcome behind their values. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  async withResponse(): Promise<{ data: T; meta: ResponseMeta }> {
    const outcome = await this.safe();
    if (!outcome.ok) throw outcome.error;
    return { data: outcome.data, meta: outcome.meta };
  }

  async safe(): Promise<Outcome<T>> {
    // The caller reads the failure from the outcome, so this promise's own rejection is not an unhandled one.
    this.catch(() => {});
    const { request, response, ...end } = await this.#ended;
    return { ...end, meta: { ...callMeta(request), ...responseMeta(response) } } as Outcome<T>;
  }
}

/** What an error and an outcome tell of a call. */
export function callMeta({ attempts, idempotencyKey }: OutgoingRequest): CallMeta {
  return { attempts, idempotencyKey };
}

function responseMeta(response: Response | undefined): Partial<ResponseMeta> {
  if (!response) return {};
  const { status, headers } = response;
  return {
    status,
    headers,
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
