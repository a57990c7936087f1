/**
 * The seam beneath openapi-fetch: the function it calls as its `fetch`. Whatever concerns the sending of a request lives
 * here: credentials, idempotency key, redirects, limits in time, and sending it again.
 */
import { CallLimits } from "./call-limits.ts";
import { AbortedError, ConnectionError, MessagingError, TimeoutError, UsageError } from "./errors.ts";
import { tell, type WatchedCall } from "./hooks.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import type { FetchInit, Settings } from "./options.ts";
import { fillPath } from "./path-values.ts";
import type { CallRecord, PlainRequest } from "./plain-request.ts";
import { plainReply, type Reply, rereadable } from "./reply.ts";
import { isPassing, isRepeatable, pauseBefore } from "./retries.ts";
import { version } from "./version.ts";

/** One call on its way. */
interface Call {
  readonly request: PlainRequest;
  readonly record: CallRecord;
  /** All but the credentials. */
  readonly headers: Record<string, string>;
  readonly limits: CallLimits;
}

const HIDDEN = "***";

/**
 * Makes the function that sends requests. The credentials stay in its closure, where nothing that prints an object can
 * see them, and are put on a request only as it leaves.
 */
export function createTransport(settings: Settings): (request: PlainRequest) => Promise<Response> {
  const { baseUrl, apiKey, apiSecret, hooks } = settings;
  const base = baseHeaders(settings.headers);

  return async (request) => {
    checkUrl(request.url, baseUrl);
    const call = begin(request);
    try {
      const reply = await sendUntilAnswered(call);
      return request.record ? plainReply(reply) : rereadable(reply);
    } finally {
      call.limits.close();
    }
  };

  function begin(request: PlainRequest): Call {
    const { method, body, signal, url } = request;
    const record = request.record ?? recordOf(withoutQuery(url).slice(baseUrl.length));
    const headers: Record<string, string> = { ...base, ...Object.fromEntries(request.headers) };
    if (method === "POST") {
      record.idempotencyKey = idempotencyKeyOf(record.idempotencyKey ?? headers["idempotency-key"], body);
      headers["idempotency-key"] = record.idempotencyKey;
    }
    if (hooks) record.watched = watchedCall(request, record);
    const { timeoutMs = settings.timeoutMs, totalTimeoutMs = settings.totalTimeoutMs } = record;
    return { request, record, headers, limits: new CallLimits({ signal, timeoutMs, totalTimeoutMs }) };
  }

  /** Gives the reply that the call ends with, whatever its status. */
  async function sendUntilAnswered(call: Call): Promise<Reply> {
    const { record, request, limits } = call;
    const { maxRetries = settings.maxRetries } = record;
    if (limits.reached !== undefined) throw failure(call);
    for (;;) {
      const ended = await attempt(call).catch((cause: unknown) => failure(call, cause));
      const reply = ended instanceof MessagingError ? undefined : ended;
      if (reply && !isPassing(reply.response.status, reply.text)) return reply;
      const mayRepeat =
        record.attempts <= maxRetries &&
        isRepeatable(request.method, record.idempotencyKey) &&
        (limits.reached ?? "attempt") === "attempt";
      const delayMs = mayRepeat ? pauseBefore(record.attempts - 1, reply?.response) : undefined;
      if (delayMs === undefined || delayMs >= limits.leftMs) {
        if (ended instanceof MessagingError) throw ended;
        return ended;
      }
      noteRetry(call, delayMs, ended);
      await limits.pause(delayMs).catch(() => {
        throw failure(call);
      });
    }
  }

  async function attempt(call: Call): Promise<Reply> {
    const { request, record, limits } = call;
    record.attempts += 1;
    const startedAt = hooks && performance.now();
    const headers = { ...call.headers, ...noteRequest(call), "x-api-key": apiKey, "x-api-secret": apiSecret };
    // Not called as a method of `settings`: browsers refuse a `fetch` whose `this` is another object.
    const send = settings.fetch ?? globalThis.fetch;
    const reply = await limits.attempt(async (signal) => {
      const init: FetchInit = { method: request.method, headers, redirect: "manual", signal };
      if (request.body !== undefined) init.body = request.body;
      const response = await send(request.url, init);
      return { response, text: await response.text() };
    });
    noteReply(call, reply, startedAt);
    return reply;
  }

  function noteRequest({ record, headers }: Call): Record<string, string> | undefined {
    const { watched: call, attempts } = record;
    if (!call) return undefined;
    const shown = { ...headers, "x-api-key": HIDDEN, "x-api-secret": HIDDEN };
    const added = tell(hooks?.onRequest, { call, attempt: attempts, headers: shown });
    return added ? lowerCased(added) : undefined;
  }

  function noteReply({ record }: Call, { response }: Reply, startedAt = 0): void {
    const { watched: call, attempts } = record;
    if (!call) return;
    const { status, headers } = response;
    tell(hooks?.onResponse, { call, attempt: attempts, status, headers, durationMs: performance.now() - startedAt });
  }

  function noteRetry({ record }: Call, delayMs: number, ended: Reply | MessagingError): void {
    const { watched: call, attempts } = record;
    if (!call) return;
    const why =
      ended instanceof MessagingError
        ? { status: undefined, error: ended }
        : { status: ended.response.status, error: undefined };
    tell(hooks?.onRetry, { call, attempt: attempts, delayMs, ...why });
  }

  /** The error for a call that a limit ended, or that got no whole reply. */
  function failure({ request, record, limits }: Call, cause?: unknown): MessagingError {
    const said = `${request.method} ${withoutQuery(request.url)}`;
    const { attempts, idempotencyKey, timeoutMs = settings.timeoutMs } = record;
    const { totalTimeoutMs = settings.totalTimeoutMs } = record;
    const details = { attempts, idempotencyKey };
    switch (limits.reached) {
      case "signal":
        return new AbortedError(`${said} was aborted by its signal.`, details, request.signal?.reason);
      case "attempt":
        return new TimeoutError(`${said} took longer than ${timeoutMs} ms.`, details);
      case "total":
        return new TimeoutError(`${said} took longer than ${totalTimeoutMs} ms, all attempts together.`, details);
      default:
        return new ConnectionError(`${said} got no usable reply: ${reasonOf(cause)}.`, details, cause);
    }
  }
}

/** Of a call of the raw client. */
function recordOf(route: string): CallRecord {
  const unset = { timeoutMs: undefined, totalTimeoutMs: undefined, maxRetries: undefined, idempotencyKey: undefined };
  return { ...unset, route, attempts: 0 };
}

function watchedCall({ method, url }: PlainRequest, { route, idempotencyKey }: CallRecord): WatchedCall {
  return { method, route, url: withoutQuery(url), idempotencyKey };
}

/** Headers of every request. Not given to openapi-fetch, whose merging of them costs 1.6 µs a call (Node 20). */
function baseHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  // A browser names itself, and would ask the service's permission (CORS) for another name.
  if (globalThis.process?.versions?.node) headers["user-agent"] = `msgctl-sdk/${version}`;
  return { ...headers, ...lowerCased(given) };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The credentials leave for addresses below the base URL only, and no `{placeholder}` is sent unfilled. */
function checkUrl(url: string, baseUrl: string): void {
  const address = withoutQuery(url);
  if (!address.startsWith(`${baseUrl}/`))
    throw new UsageError(
      `${address} is not below ${baseUrl}, where the credentials belong. A path starts with a slash.`,
    );
  fillPath(address, {});
}

/** Queries name contacts and merchants, which messages need not repeat. */
function withoutQuery(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** Node says only "fetch failed"; what failed is in the cause of that, in its code where there are several addresses. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { cause: inner } = cause;
  if (!(inner instanceof Error)) return cause.message;
  return inner.message || ("code" in inner ? String(inner.code) : cause.message);
}
