// fetch without a network: a request goes to the server in this process, and its reply comes back as a Response.

import type { InProcessService, PlainReply, PlainRequest } from "@msgctl/server/in-process";
import type { UnderWay } from "./under-way.ts";

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

export interface FetchParts {
  readonly baseUrl: string;
  readonly underWay: UnderWay;
  /** Called immediately. The request goes to the service after the returned promise resolves. */
  readonly before: (signal: AbortSignal) => Promise<void> | undefined;
  /** Called with every refusal; may throw to make the call fail. */
  readonly onRefusal: (refusal: Refusal) => void;
}

/** Creates a fetch for requests to the origin of `baseUrl`. It rejects requests to other origins. */
export function createInProcessFetch(
  { exchange }: Pick<InProcessService, "exchange">,
  { baseUrl, underWay, before, onRefusal }: FetchParts,
): Fetch {
  const { origin } = new URL(baseUrl);

  async function answer(request: PlainRequest, signal: AbortSignal): Promise<Response> {
    const { status, headers, body } = await exchange({ ...request, signal });
    const { method, url } = request;
    if (status >= 400) onRefusal({ method, path: url.split("?", 1)[0] ?? "/", status, body });
    return new Response(BODILESS.has(status) ? null : body, { status, headers: toPairs(headers) });
  }

  return async (input, init) => {
    const url = toUrl(input);
    if (url.origin !== origin) {
      const received = url.origin === "null" ? String(input) : url.origin;
      throw new TypeError(`service.fetch answers requests to ${origin}, the service's baseUrl; received ${received}.`);
    }
    const given = toRequest(input, init);
    const path = `${url.pathname}${url.search}`;
    return underWay.run(
      async (signal) => {
        const [request] = await Promise.all([given && readRequest(path, given, signal), before(signal)]);
        return answer(request ?? plainRequest(path, init as PlainInit), signal);
      },
      given === undefined ? init?.signal : given.signal,
    );
  };
}

/** Creates a Request from the arguments, or returns undefined if they can be read directly, which is much faster. */
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

async function readRequest(url: string, request: Request, signal: AbortSignal): Promise<PlainRequest> {
  const { method, body } = request;
  const headers = Object.fromEntries(request.headers);
  if (body === null) return { method, url, headers };
  if (request.bodyUsed) throw new TypeError("service.fetch takes a Request whose body nobody has read yet.");
  // like fetch, cancels the body on abort
  const read = new Response(body.pipeThrough(new TransformStream(), { signal }));
  return { method, url, headers, body: new Uint8Array(await read.arrayBuffer()) };
}

/** Node requires this option if a body is a stream. */
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
