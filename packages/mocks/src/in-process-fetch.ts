// fetch without a network: a request goes into the server of this process, and its reply comes back as a Response.

import type { InProcessService, PlainReply, PlainRequest } from "@msgctl/server/in-process";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A call that was answered with 400 or more. */
export interface Refusal {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The reply's text. */
  readonly body: string;
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A fetch for requests to the origin of `baseUrl`; rejects for any other. `before` is waited for; `onRefusal` hears of
 * every refusal, and may throw to have the call fail.
 */
export function createInProcessFetch(
  { exchange }: Pick<InProcessService, "exchange">,
  parts: { baseUrl: string; before: () => Promise<void> | undefined; onRefusal: (refusal: Refusal) => void },
): Fetch {
  const { origin } = new URL(parts.baseUrl);

  async function answer(request: PlainRequest): Promise<Response> {
    const wait = parts.before();
    if (wait !== undefined) await wait;
    const { status, headers, body } = await exchange(request);
    const { method, url } = request;
    if (status >= 400) parts.onRefusal({ method, path: url.split("?", 1)[0] ?? "/", status, body });
    return new Response(BODILESS.has(status) ? null : body, { status, headers: toPairs(headers) });
  }

  return async (input, init) => {
    const url = toUrl(input);
    if (url.origin !== origin) {
      const received = url.origin === "null" ? String(input) : url.origin;
      throw new TypeError(`service.fetch answers requests to ${origin}, the service's baseUrl; received ${received}.`);
    }
    const given = toRequest(input, init);
    const signal = given === undefined ? (init?.signal ?? undefined) : given.signal;
    signal?.throwIfAborted();
    const path = `${url.pathname}${url.search}`;
    const request = given === undefined ? plainRequest(path, init as PlainInit) : await readRequest(path, given);
    const reply = answer(request);
    return signal === undefined ? reply : orAborted(reply, signal);
  };
}

/** Undefined where what is given can be read without one, which takes a fraction of the time. */
function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request | undefined {
  if (input instanceof Request) return init === undefined ? input : new Request(input, withDuplex(init));
  const isPlain = init?.body == null || typeof init.body === "string";
  return isPlain ? undefined : new Request(input, withDuplex(init));
}

type PlainInit = (Omit<RequestInit, "body"> & { body?: string | null }) | undefined;

function plainRequest(url: string, { method = "GET", headers: init, body = null }: PlainInit = {}): PlainRequest {
  const headers = Object.fromEntries(new Headers(init));
  if (body !== null) headers["content-type"] ??= "text/plain;charset=UTF-8";
  return { method: method.toUpperCase(), url, headers, ...(body === null ? {} : { body }) };
}

async function readRequest(url: string, request: Request): Promise<PlainRequest> {
  const { method } = request;
  const headers = Object.fromEntries(request.headers);
  if (request.body === null) return { method, url, headers };
  return { method, url, headers, body: new Uint8Array(await request.arrayBuffer()) };
}

/** Node asks for it where a body is a stream. */
function withDuplex(init: RequestInit): RequestInit {
  return init.body instanceof ReadableStream ? ({ duplex: "half", ...init } as RequestInit) : init;
}

function toUrl(input: string | URL | Request): URL {
  const text = input instanceof Request ? input.url : String(input);
  if (!URL.canParse(text)) throw new TypeError(`service.fetch takes absolute URLs; received ${JSON.stringify(text)}.`);
  return new URL(text);
}

function toPairs(headers: PlainReply["headers"]): [string, string][] {
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (Array.isArray(value)) for (const each of value) pairs.push([name, String(each)]);
    else pairs.push([name, String(value)]);
  }
  return pairs;
}

/** As fetch does: rejects with the signal's reason; what was asked for may be done all the same. */
function orAborted(reply: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    reply.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
