// Exchanges one request and its reply without a connection, using Node's own objects. Fastify's test injector does the
// same but is slower (docs/decisions/0016).

import { IncomingMessage, METHODS, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { describeMalformed, HEADERS_LIMIT_BYTES, toRefusal } from "../http/connections/connections.ts";
import { createRequestIds } from "../http/request-log.ts";

export interface PlainRequest {
  /** Method in capitals. */
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Aborting it rejects the exchange with the abort reason. A request not yet begun is dropped. */
  readonly signal?: AbortSignal;
}

export interface PlainReply {
  readonly status: number;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  /** Empty if the reply has no body. */
  readonly body: string;
}

export type Exchange = (request: PlainRequest) => Promise<PlainReply>;

/** Shared socket of all requests. Nothing is ever written to it. */
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

/** Returns the error code with which Node's parser would reject the request before it reaches a router. */
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

interface Settle {
  readonly resolve: (reply: PlainReply) => void;
  readonly reject: (reason: Error) => void;
}

/** Collects everything that Node would write to a socket. */
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

  /** Collects a part of a streamed reply. There is never backpressure. */
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

  /** Called when the reply fails or the client has gone. Drops the parts collected so far. */
  override destroy(error?: Error): this {
    if (this.finished || this.destroyed) return this;
    this.destroyed = true;
    // makes Fastify stop handling the request
    this.finished = true;
    this.#settle.reject(error ?? new Error("the connection was closed before the reply was complete"));
    this.emit("close");
    return this;
  }
}
