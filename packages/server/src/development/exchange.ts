// One request and its reply without a connection: Node's own objects, but nothing written as HTTP and read again.
// Fastify's test injector does it too, and three times as slowly (docs/decisions/0016).

import { IncomingMessage, METHODS, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { HEADERS_LIMIT_BYTES } from "../http/connections/connections.ts";
import { describeMalformed, toRefusal } from "../http/connections/malformed.ts";
import { createRequestIds } from "../http/request-id.ts";

export interface PlainRequest {
  /** In capitals. */
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Named in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Once it is aborted, what the server has not begun is left undone, and the exchange rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface PlainReply {
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  /** Empty where there is none. */
  readonly body: string;
}

export type Exchange = (request: PlainRequest) => Promise<PlainReply>;

/** Nothing is ever written to it. */
const noSocket = new Socket();
const methods: ReadonlySet<string> = new Set(METHODS);

export function createExchange(app: FastifyInstance): Exchange {
  const newRequestId = createRequestIds();
  const exchange = (request: PlainRequest) =>
    new Promise<PlainReply>((resolve, reject) => {
      const incoming = readRequest(request);
      const response = new CaughtResponse(incoming, { resolve, reject });
      if (request.signal !== undefined) destroyOnAbort(response, request.signal);
      app.routing(incoming, response);
    });
  let isReady = false;
  return async (request) => {
    if (!isReady) await app.ready();
    isReady = true;
    request.signal?.throwIfAborted();
    const fault = findParserFault(request);
    return fault === undefined ? exchange(request) : describeMalformed(toRefusal(fault), newRequestId());
  };
}

function destroyOnAbort(response: CaughtResponse, signal: AbortSignal): void {
  const destroy = () => response.destroy(signal.reason);
  signal.addEventListener("abort", destroy, { once: true });
  response.once("close", () => signal.removeEventListener("abort", destroy));
}

/** By its code, what Node's parser would have refused before a router sees it. */
function findParserFault({ method, url, headers }: PlainRequest): string | undefined {
  if (!methods.has(method)) return "HPE_INVALID_METHOD";
  let size = url.length;
  for (const name in headers) size += name.length + (headers[name] as string).length;
  return size >= HEADERS_LIMIT_BYTES ? "HPE_HEADER_OVERFLOW" : undefined;
}

function readRequest({ method, url, headers, body = "" }: PlainRequest): IncomingMessage {
  const incoming = new IncomingMessage(noSocket);
  const bytes = Buffer.from(body as string);
  Object.assign(incoming, {
    method,
    url,
    httpVersion: "1.1",
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    complete: true,
  });
  incoming.headers = { host: "localhost", ...headers };
  if (bytes.length > 0) {
    incoming.headers["content-length"] ??= String(bytes.length);
    incoming.push(bytes);
  }
  incoming.push(null);
  return incoming;
}

/** Keeps what is to be sent, where Node would write it to a socket. */
class CaughtResponse extends ServerResponse {
  readonly #settle: Settle;
  readonly #parts: string[] = [];
  #headers: OutgoingHttpHeaders = {};
  override headersSent = false;

  constructor(request: IncomingMessage, settle: Settle) {
    super(request);
    this.#settle = settle;
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    this.statusCode = status;
    this.headersSent = true;
    const given = (rest.at(-1) as OutgoingHttpHeaders | undefined) ?? this.getHeaders();
    this.#headers = { date: new Date().toUTCString(), ...given };
    return this;
  }

  /** A part of a reply that comes in parts. It is always taken at once. */
  override write(part: unknown): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.#parts.push(String(part));
    return true;
  }

  override end(last?: unknown): this {
    if (this.destroyed) return this;
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.finished = true;
    const isWanted = this.req.method !== "HEAD";
    const body = isWanted ? this.#parts.join("") + String(last ?? "") : "";
    this.#settle.resolve({ status: this.statusCode, headers: this.#headers, body });
    this.emit("finish");
    this.emit("close");
    return this;
  }

  /** The reply fails, or nobody waits for it: what was taken of it is none. */
  override destroy(error?: Error): this {
    if (this.finished || this.destroyed) return this;
    this.destroyed = true;
    // Fastify goes no step further with what is answered
    this.finished = true;
    this.#settle.reject(error ?? new Error("the connection was closed before the reply was whole"));
    this.emit("close");
    return this;
  }
}

interface Settle {
  readonly resolve: (reply: PlainReply) => void;
  readonly reject: (reason: Error) => void;
}
