/**
 * The seam beneath openapi-fetch: the function it calls as its `fetch`. Whatever concerns the sending of a request lives
 * here: credentials, idempotency key, redirects, signals, failures of the network.
 */
import { AbortedError, ConnectionError, type MessagingError, TimeoutError, UsageError } from "./errors.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import type { FetchInit, Settings } from "./options.ts";
import { fillPath } from "./path-values.ts";
import type { PlainRequest } from "./plain-request.ts";
import { version } from "./version.ts";

/**
 * Makes the function that sends requests. The credentials stay in its closure, where nothing that prints an object can
 * see them, and are put on a request only as it leaves.
 */
export function createTransport(settings: Settings): (request: PlainRequest) => Promise<Response> {
  const { baseUrl, apiKey, apiSecret } = settings;
  const base = baseHeaders(settings.headers);

  return async (request) => {
    const { url, method, body, record } = request;
    checkUrl(url, baseUrl);
    const headers: Record<string, string> = { ...base, ...Object.fromEntries(request.headers) };
    if (method === "POST") {
      record.idempotencyKey = idempotencyKeyOf(record.idempotencyKey ?? headers["idempotency-key"], body);
      headers["idempotency-key"] = record.idempotencyKey;
    }
    headers["x-api-key"] = apiKey;
    headers["x-api-secret"] = apiSecret;

    const { signal, explain } = watch(request, record.timeoutMs ?? settings.timeoutMs);
    record.explain = explain;
    if (signal?.aborted) throw explain(signal.reason);
    const init: FetchInit = { method, headers, redirect: "manual" };
    if (body !== undefined) init.body = body;
    if (signal !== undefined) init.signal = signal;
    // Not called as a method of `settings`: browsers refuse a `fetch` whose `this` is another object.
    const send = settings.fetch ?? globalThis.fetch;
    record.attempts += 1;
    try {
      return await send(url, init);
    } catch (cause) {
      throw explain(cause);
    }
  };
}

/** Headers of every request. Not given to openapi-fetch, whose merging of them costs 1.6 µs a call (Node 20). */
function baseHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  // A browser names itself, and would ask the service's permission (CORS) for another name.
  if (globalThis.process?.versions?.node) headers["user-agent"] = `msgctl-sdk/${version}`;
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  return headers;
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

/** Joins the caller's signal and the time bound into the one that is sent along, and explains failures by them. */
function watch({ url, method, signal, record }: PlainRequest, timeoutMs: number | undefined) {
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const explain = (cause: unknown): MessagingError => {
    const call = `${method} ${withoutQuery(url)}`;
    const details = { attempts: record.attempts, idempotencyKey: record.idempotencyKey };
    if (signal?.aborted) return new AbortedError(`${call} was aborted by its signal.`, details, signal.reason);
    if (timeout?.aborted) return new TimeoutError(`${call} took longer than ${timeoutMs} ms.`, details, cause);
    return new ConnectionError(`${call} got no usable reply: ${reasonOf(cause)}.`, details, cause);
  };
  return { explain, signal: signal && timeout ? AbortSignal.any([signal, timeout]) : (timeout ?? signal) };
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
