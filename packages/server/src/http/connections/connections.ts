// The HTTP server under the routes: how long it waits for a request, how much of one it reads, and what becomes of all
// that is none.

import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Refusal } from "../../rules/refusal.ts";
import { Connection } from "./connection.ts";
import { noTunnel, toRefusal } from "./malformed.ts";
import { endStalledReplies } from "./stalled-replies.ts";

/** A request that has not arrived whole by then is given up: headers trickling in cannot hold a connection. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for such requests. Its own 30 s would let one live for twice its time. */
const TIMEOUT_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;
/** Path, query and headers of a request. Headers count by their size alone: by itself Node reads a thousand. */
export const HEADERS_LIMIT_BYTES = 16 * 1024;

export interface ConnectionOptions {
  /** The answer to what is no request. */
  readonly render: (refusal: Refusal) => string;
  /** How long a reply may lie unsent, in milliseconds, before its connection is ended: after one to three times this. */
  readonly stalledMs: number;
}

/** Makes the servers that Fastify listens with, one for each address. */
export function createServerFactory({ render, stalledMs }: ConnectionOptions): (handle: RequestListener) => Server {
  return (handle) => {
    const connections = new WeakMap<Socket, Connection>();
    const take: RequestListener = (request, reply) => connections.get(request.socket)?.take(request, reply);
    const options = {
      // Node's own answer to a request without it has neither body nor request id
      requireHostHeader: false,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // longer than the request's, as by default, Node 20 would never give up a body that trickles in
      headersTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    const server = createServer(options, take);
    server.maxHeadersCount = 0;
    // whoever sends no more may still read: the reply to a request that was taken is owed
    Object.assign(server, { httpAllowHalfOpen: true });
    // an expectation that Node does not know is passed over, as RFC 9110 (10.1.1) allows: its 417 would have no request id
    server.on("checkExpectation", take);
    server.on("connection", (socket) => connections.set(socket, new Connection(socket, { handle, render })));
    endStalledReplies(server, stalledMs);
    server.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Socket) => {
      // what follows a request that said `Connection: close` is for nobody, and its reply is still due
      if (code !== "HPE_CLOSED_CONNECTION") connections.get(socket)?.refuse(toRefusal(code));
    });
    // Fastify's, on the second address of a name: with one, Node would hand over requests that merely offer HTTP/2
    server.once("listening", () => server.removeAllListeners("upgrade"));
    server.on("connect", (_request, socket: Socket) => {
      // Node has let go of it
      socket.on("error", () => {});
      connections.get(socket)?.refuse(noTunnel);
    });
    return server;
  };
}
