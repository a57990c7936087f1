// The HTTP server under the routes: its timeouts, its limits on a request's head, and its handling of malformed input.

import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Refusal } from "../../rules/refusal.ts";
import { Connection } from "./connection.ts";
import { noTunnel, toRefusal } from "./malformed.ts";
import { endStalledReplies } from "./stalled-replies.ts";

/** A request that has not fully arrived by then is given up, so that slow headers cannot hold a connection. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node checks for such requests. Its default of 30 s would allow twice the timeout. */
const TIMEOUT_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 72_000;
/** The limit on a request's path, query and headers. Only size counts: Node's default limit of 1000 headers is off. */
export const HEADERS_LIMIT_BYTES = 16 * 1024;

export interface ConnectionOptions {
  /** Returns the reply to malformed input. */
  readonly render: (refusal: Refusal) => string;
  /** How long a reply may stall, in milliseconds, before its connection is ended: after one to three times this. */
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
      // if longer than the request's, as by default, Node 20 would never give up a slow body
      headersTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    const server = createServer(options, take);
    server.maxHeadersCount = 0;
    // a client that has finished sending may still read its replies
    Object.assign(server, { httpAllowHalfOpen: true });
    // ignore unknown expectations, as RFC 9110 (10.1.1) allows: Node's own 417 would have no request id
    server.on("checkExpectation", take);
    server.on("connection", (socket) => {
      connections.set(socket, new Connection(socket, { handle, render }));
      socket.once("close", () => connections.delete(socket));
    });
    endStalledReplies(server, connections, stalledMs);
    closeUnused(server, connections);
    server.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Socket) => {
      // ignore what follows a request with `Connection: close`: its reply is still pending
      if (code !== "HPE_CLOSED_CONNECTION") connections.get(socket)?.refuse(toRefusal(code));
    });
    // Fastify adds one on the second address of a name: Node would then hand over requests that merely offer HTTP/2
    server.once("listening", () => server.removeAllListeners("upgrade"));
    server.on("connect", (_request, socket: Socket) => {
      // Node no longer handles the socket's errors
      socket.on("error", () => {});
      connections.get(socket)?.refuse(noTunnel);
    });
    return server;
  };
}

/** Closes with the idle connections those that browsers open ahead: to Node, a request is on its way until one comes. */
function closeUnused(server: Server, connections: ReadonlyMap<Socket, unknown>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  };
}
