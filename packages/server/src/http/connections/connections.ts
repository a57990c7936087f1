// Creates the HTTP servers beneath the routes: timeouts, limits on a request's head, the order of a connection's requests,
// and replies to malformed input, which reaches no route and has no caller.

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import { problems } from "@msgctl/contract";
import { Refusal } from "../../domain/refusal.ts";
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from "../../platform/timers.ts";
import { describeRefusal, PROBLEM_TYPE } from "../replies/problems.ts";

const AND_CLOSED = "Nothing was done, and the connection is closed.";

/** Refusals by the error code of Node's parser; `malformed` for any other. */
const otherFaults: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: new Refusal(
    "headers_too_large",
    `The path, the query and the headers of a request can have 16 KiB in total. ${AND_CLOSED}`,
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Refusal(
    "payload_too_large",
    `The extensions of the body's chunks can have 16 KiB in total. ${AND_CLOSED}`,
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(
    "request_timeout",
    `The complete request did not arrive within 30 seconds. ${AND_CLOSED}`,
  ),
};
const malformed = new Refusal("malformed_http", `The request is not valid HTTP/1.1. ${AND_CLOSED}`);

/** Refuses CONNECT, which asks for a tunnel to another machine. */
const noTunnel = new Refusal(
  "method_not_allowed",
  `This server is not a proxy and does not accept CONNECT. ${AND_CLOSED}`,
);

/** Returns the refusal for an error code of Node's parser. */
export function toRefusal(code = ""): Refusal {
  return otherFaults[code] ?? malformed;
}

/** Returns the reply to malformed input, in the contract's form. */
export function describeMalformed(
  refusal: Refusal,
  requestId: string,
): { status: number; headers: Readonly<Record<string, string>>; body: string } {
  const { status } = problems[refusal.code];
  const body = JSON.stringify(describeRefusal(refusal, "/", requestId));
  const headers = {
    "x-request-id": requestId,
    "content-type": PROBLEM_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    // RFC 9110 (15.5.6) requires the header; it is empty if no method is allowed
    ...(status === 405 ? { allow: "" } : {}),
  };
  return { status, headers, body };
}

/** Returns the raw HTTP text of the reply to malformed input. The connection is closed after it. */
export function renderMalformed(refusal: Refusal, requestId: string): string {
  const { status, headers, body } = describeMalformed(refusal, requestId);
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

/** Time limit for a request to arrive, so that slow headers cannot hold a connection. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Interval at which Node checks for late requests. Node's default of 30 s would allow twice the timeout. */
const TIMEOUT_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;
/** The limit on the size of a request's path, query and headers. Their number is not limited (Node's default is 1000). */
export const HEADERS_LIMIT_BYTES = 16 * 1024;

export interface ConnectionOptions {
  /** Returns the reply to malformed input. */
  readonly render: (refusal: Refusal) => string;
  /**
   * How long a reply may stall, in milliseconds. Its connection is ended after one to three times as long.
   */
  readonly stalledMs: number;
}

/** Returns a factory for the servers that Fastify listens with, one for each address. */
export function createServerFactory({ render, stalledMs }: ConnectionOptions): (handle: RequestListener) => Server {
  return (handle) => {
    const connections = new Map<Socket, Connection>();
    const take: RequestListener = (request, reply) => connections.get(request.socket)?.take(request, reply);
    const options = {
      // Node's own reply to a request without Host has neither a body nor a request id
      requireHostHeader: false,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // the default is longer than requestTimeout; Node 20 would then never time out a slow body
      headersTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    const server = createServer(options, take);
    server.maxHeadersCount = 0;
    // a client that has closed its sending side may still read its replies
    Object.assign(server, { httpAllowHalfOpen: true });
    // ignore unknown expectations, as RFC 9110 (10.1.1) allows: Node's own 417 would have no request id
    server.on("checkExpectation", take);
    server.on("connection", (socket) => {
      connections.set(socket, new Connection(socket, handle, render));
      socket.once("close", () => connections.delete(socket));
    });
    endStalledReplies(server, connections, stalledMs);
    closeUnused(server, connections);
    server.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Socket) => {
      // Ignore bytes after a request with `Connection: close`: the reply to that request is still pending.
      if (code !== "HPE_CLOSED_CONNECTION") connections.get(socket)?.refuse(toRefusal(code));
    });
    // If the host name has a second address, Fastify adds an upgrade listener. Remove it: Node would pass requests that offer
    // HTTP/2 to that listener instead of handling them.
    server.once("listening", () => server.removeAllListeners("upgrade"));
    server.on("connect", (_request, socket: Socket) => {
      // after CONNECT, Node no longer handles the socket's errors
      socket.on("error", () => {});
      connections.get(socket)?.refuse(noTunnel);
    });
    return server;
  };
}

/** Also closes the connections that browsers open ahead of a request, which Node does not count as idle. */
function closeUnused(server: Server, connections: ReadonlyMap<Socket, unknown>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  };
}

/** Most requests that may wait behind the one being handled. Clients that pipeline send about ten ahead. */
export const LONGEST_PIPELINE = 100;
/**
 * How long a connection is still read after its last reply. Closing a connection with unread bytes would reset it, and
 * some clients then discard the part of the reply that they have not read (RFC 9112, 9.6).
 */
const LINGER_MS = 2_000;

type Reply = ServerResponse<IncomingMessage>;

/**
 * One client's connection. Its requests are handled one at a time, as RFC 9112 (9.3.2) requires if one of them may change
 * data. So replies keep their order, and malformed input is answered after the requests before it (docs/decisions/0018).
 */
class Connection {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  readonly #render: ConnectionOptions["render"];
  /** The reply to the last accepted request, which may still be waiting. */
  #latest: Reply | undefined;
  #waiting = 0;
  /** Whether no more requests are accepted. The last reply tells the client. */
  #isEnding = false;
  #refusal: Refusal | undefined;

  constructor(socket: Socket, handle: RequestListener, render: ConnectionOptions["render"]) {
    this.#socket = socket;
    this.#handle = handle;
    this.#render = render;
  }

  /** Handles the request after all earlier ones have been answered. */
  take(request: IncomingMessage, reply: Reply): void {
    if (this.#isEnding) return;
    const previous = this.#latest;
    if (previous === undefined || previous.writableFinished) {
      this.#latest = reply;
      this.#handle(request, reply);
      return;
    }
    if (this.#waiting === LONGEST_PIPELINE) {
      this.#takeNoMore();
      // `Connection: close` tells the client that no later request was begun
      previous.shouldKeepAlive = false;
      // Node calls this to end the connection
      this.#socket.destroySoon = () => this.#end();
      return;
    }
    this.#latest = reply;
    this.#waiting += 1;
    // each waiting request begins in its own turn of the event loop, so that many do not block other connections
    previous.once("close", () => setImmediate(() => this.#begin(request, reply)));
  }

  /** Sends the pending replies, then the reply to malformed input, and ends the connection. */
  refuse(refusal: Refusal): void {
    if (this.#isEnding) return;
    this.#takeNoMore();
    this.#refusal = refusal;
    const latest = this.#latest;
    if (latest === undefined || !this.#socket.writable) this.#end(refusal);
    else if (latest.req.complete) this.#endAfter(latest, refusal);
    // here the fault is in the latest request's body: the refusal is that request's reply, unless it already has one
    else if (latest.headersSent) this.#endAfter(latest);
    else if (this.#waiting === 0) this.#end(refusal);
  }

  /** Accepts no more requests and stops reading: each parsed request would stay in memory until the connection ends. */
  #takeNoMore(): void {
    this.#isEnding = true;
    // Node resumes the socket for each body that is read
    this.#socket.on("resume", this.#socket.pause).pause();
  }

  #begin(request: IncomingMessage, reply: Reply): void {
    this.#waiting -= 1;
    if (!this.#socket.writable) return;
    if (this.#refusal !== undefined && !request.complete) this.#end(this.#refusal);
    else this.#handle(request, reply);
  }

  #endAfter(reply: Reply, refusal?: Refusal): void {
    if (reply.writableFinished) this.#end(refusal);
    else reply.once("close", () => this.#end(refusal));
  }

  #end(refusal?: Refusal): void {
    const socket = this.#socket;
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.end(refusal === undefined ? "" : this.#render(refusal));
    socket.off("resume", socket.pause);
    // discards further bytes: replacing the listener keeps them from the parser
    socket.once("resume", () => socket.removeAllListeners("data").on("data", () => {}));
    socket.resume();
  }
}

/**
 * Ends each open connection whose reply has stalled: its number of unsent bytes has not decreased for `stalledMs`. This frees
 * the bytes' memory. Connections are checked periodically, at no cost to requests, so they end after one to three times
 * `stalledMs`.
 */
function endStalledReplies(server: Server, open: ReadonlyMap<Socket, unknown>, stalledMs: number): void {
  const timer = setInterval(() => {
    for (const socket of open.keys()) {
      // use the socket's timeout: Node also restarts it when a part of a long write has been sent
      if (socket.writableLength > 0 && socket.timeout !== stalledMs) socket.setTimeout(stalledMs);
    }
  }, stalledMs).unref();
  server.on("timeout", (socket: Socket) => {
    // not stalled: all bytes have been sent since the timeout was set, and the next part of the reply is not ready yet
    if (socket.timeout === stalledMs && socket.writableLength === 0) return;
    socket.destroy();
  });
  server.once("close", () => clearInterval(timer));
}
