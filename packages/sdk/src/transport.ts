/**
 * Sends a request, for the named methods and for openapi-fetch alike: credentials, idempotency key, redirects, time limits
 * and retries.
 */
import { callMeta } from "./api-call.ts";
import { CallLimits } from "./call-limits.ts";
import { AbortedError, ConnectionError, type MessagingError, ReplyTooLargeError, TimeoutError } from "./errors.ts";
import { checkedHeaders } from "./headers.ts";
import { holdReply } from "./held-reply.ts";
import { type Hooks, tell } from "./hooks.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import { boundsOf, type SetBounds, type Settings } from "./options.ts";
import {
  type Identities,
  type OutgoingRequest,
  type Reply,
  type Transport,
  watchedCall,
  withoutQuery,
} from "./outgoing-request.ts";
import { fillPath } from "./path-values.ts";
import { refusal } from "./refusal.ts";
import { readText } from "./reply-text.ts";
import { isPassing, isRepeatable, pauseBefore } from "./retries.ts";
import { version } from "./version.ts";

/** One call in progress. */
interface Call {
  readonly request: OutgoingRequest;
  /** All headers except the credentials, in lower case. */
  readonly headers: Record<string, string>;
  /** Headers that hooks cannot change: the credentials, and the idempotency key, which is the same in every attempt. */
  readonly kept: Record<string, string>;
  readonly bounds: SetBounds;
  readonly limits: CallLimits;
}

type AttemptHook = Exclude<keyof Hooks, "onError">;
type EventOfHook<Name extends AttemptHook> = Parameters<NonNullable<Hooks[Name]>>[0];

const HIDDEN = "***";

/**
 * Makes the transport. The credentials stay in its closure, where nothing that prints an object can see them, and are added
 * to a request only when it is sent.
 */
export function createTransport(settings: Settings, identities: Identities): Transport {
  const { baseUrl, apiKey, apiSecret, hooks } = settings;
  const base = baseHeaders(settings.headers);
  const known = { baseUrl, identities };

  return async (request) => {
    checkUrl(request.url, baseUrl);
    const call = begin(request);
    try {
      return await sendUntilAnswered(call);
    } finally {
      call.limits.close();
    }
  };

  function begin(request: OutgoingRequest): Call {
    const { method, body, signal } = request;
    const headers = { ...base, ...checkedHeaders(request.headers) };
    if (body !== undefined) headers["content-type"] ??= "application/json";
    const { idempotencyKey = headers["idempotency-key"] } = request;
    const key = idempotencyKeyOf(method, idempotencyKey, body);
    // The call reports the key that is sent, and decides by it whether to retry.
    request.idempotencyKey = key;
    const kept: Record<string, string> = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    if (key !== undefined) headers["idempotency-key"] = kept["idempotency-key"] = key;
    const bounds = boundsOf(request.bounds, settings.bounds);
    return { request, headers, kept, bounds, limits: new CallLimits(signal, bounds) };
  }

  async function sendUntilAnswered(call: Call): Promise<Reply> {
    const { limits, request } = call;
    const { gate } = request;
    if (limits.isOver) throw failure(call);
    let refusals = 0;
    for (;;) {
      while (gate?.isClosed) await pause(call, gate.waitMs(), "holdBack");
      let reply: Reply | undefined;
      let error: MessagingError | undefined;
      try {
        reply = await attempt(call);
        error = reply.error;
      } catch (cause) {
        error = failure(call, cause);
      }
      const status = reply?.response.status;
      if (reply && gate?.noteReply(reply.response, refusals)) {
        // The run was too fast for the rate limit. This refusal does not count as an attempt of the row.
        refusals += 1;
        const delayMs = gate.waitMs();
        note(request, "onRetry", { delayMs, status, error });
        await pause(call, delayMs, "holdBack");
        continue;
      }
      if (reply && !error && !isPassing(reply.response.status, reply.text)) return reply;
      const { leftMs } = limits;
      const delayMs = pauseAfter(call, request.attempts - refusals, leftMs, reply?.response, error);
      if (delayMs >= leftMs) {
        if (reply) return reply;
        throw error;
      }
      note(request, "onRetry", { delayMs, status, error });
      await pause(call, delayMs, "pause");
    }
  }

  async function pause(call: Call, ms: number, how: "pause" | "holdBack"): Promise<void> {
    await call.limits[how](ms).catch(() => {
      throw failure(call);
    });
  }

  /** `Infinity` if the call is over. */
  function pauseAfter(
    { request, bounds, limits }: Call,
    tries: number,
    leftMs: number,
    response: Response | undefined,
    error: MessagingError | undefined,
  ): number {
    const { gate, idempotencyKey, method } = request;
    // A row fails with 429 only after the run has received nothing but refusals for too long.
    const isFinal =
      limits.isOver || (error && !(error instanceof ConnectionError)) || (gate && response?.status === 429);
    if (isFinal || tries > bounds.maxRetries || !isRepeatable(method, idempotencyKey)) return Number.POSITIVE_INFINITY;
    return pauseBefore(tries - 1, response, leftMs);
  }

  function attempt(call: Call): Promise<Reply> {
    const { request, bounds, limits } = call;
    const { method, url, body } = request;
    request.attempts += 1;
    const shown = { ...call.headers, "x-api-key": HIDDEN, "x-api-secret": HIDDEN };
    const added = note(request, "onRequest", { headers: shown });
    // If a header cannot be sent, the error blames the hook that added it, not the caller.
    const headers = { ...call.headers, ...(added && tell(checkedHeaders, added)), ...call.kept };
    // Not called as a method of `settings`: browsers refuse a `fetch` whose `this` is another object.
    const send = settings.fetch ?? globalThis.fetch;
    return limits.attempt(async (signal) => {
      const startedAt = performance.now();
      const response = await send(url, {
        ...settings.fetchOptions,
        method,
        headers,
        ...(body !== undefined && { body }),
        redirect: "manual",
        get signal() {
          return signal();
        },
      });
      const text = await readText(response, bounds.maxReplyBytes, callMeta(request));
      const { status, headers: replied } = response;
      note(request, "onResponse", { status, headers: replied, durationMs: performance.now() - startedAt });
      return holdReply(request, known, response, text);
    });
  }

  /** Calls the hook for an event of an attempt, if there is one. */
  function note<Name extends AttemptHook>(
    request: OutgoingRequest,
    name: Name,
    event: Omit<EventOfHook<Name>, "call" | "attempt">,
  ): ReturnType<NonNullable<Hooks[Name]>> | undefined {
    type Hook = (event: object) => ReturnType<NonNullable<Hooks[Name]>>;
    const hook = hooks?.[name] as Hook | undefined;
    return hook && tell(hook, { call: watchedCall(request), attempt: request.attempts, ...event });
  }

  /** The error for a call that was ended by a limit, or that got no complete reply. */
  function failure({ request, bounds, limits }: Call, cause?: unknown): MessagingError {
    const said = `${request.method} ${withoutQuery(request.url)}`;
    const details = callMeta(request);
    const { reached } = limits;
    if (reached === "signal")
      return new AbortedError(`${said} was aborted by its signal.`, details, request.signal?.reason);
    if (reached) {
      const limit =
        reached === "attempt" ? `${bounds.timeoutMs} ms` : `${bounds.totalTimeoutMs} ms, all attempts together`;
      return new TimeoutError(`${said} took longer than ${limit}.`, details);
    }
    if (cause instanceof ReplyTooLargeError) return cause;
    // something outside of this call ended the request, such as a mock that was reset or closed
    if (Object(cause).name === "AbortError")
      return new AbortedError(`${said} was aborted: ${reasonOf(cause)}.`, details, cause);
    return new ConnectionError(`${said} got no usable reply: ${reasonOf(cause)}.`, details, cause);
  }
}

/** Headers of every request. */
function baseHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  // Browsers set their own User-Agent; for another one they would need the service's permission (CORS).
  if (globalThis.process?.versions?.node) headers["user-agent"] = `msgctl-sdk/${version}`;
  return { ...headers, ...given };
}

/**
 * Parts of an address that a URL parser drops, treats as a slash or as the end of the path, or resolves upwards. With such a
 * part, the request would go to another address than the one given.
 */
const ASTRAY = /[^!-\uffff]|[\\#]|\/\/|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** The credentials are sent only to addresses below the base URL, and no `{placeholder}` is sent unfilled. */
function checkUrl(url: string, baseUrl: string): void {
  const address = withoutQuery(url);
  if (!address.startsWith(`${baseUrl}/`) || ASTRAY.test(address.slice(baseUrl.length)))
    throw refusal("The address", address, `below ${baseUrl}/, without //, /./, /../, %2e, \\, # or blank`);
  fillPath(address, {});
}

/**
 * Finds the reason in the error's cause, because Node's message is only "fetch failed". If a host has several addresses, the
 * cause has no message, only a code.
 */
function reasonOf(cause: unknown): string {
  const { message = String(cause), cause: inner } = Object(cause);
  return inner?.message || inner?.code || message;
}
