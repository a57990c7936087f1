// Serves MCP over HTTP on this machine: one endpoint, for clients that know the token.

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  type McpServerFactory,
  originValidationResponse,
} from "@modelcontextprotocol/server";

const HOST = "127.0.0.1";
const PATH = "/mcp";
const MOST_CONNECTIONS = 64;
/** Limit for the headers and the body of a request, not for its reply. */
const REQUEST_LIMIT_MS = 30_000;

export interface RunningHttp {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1. Web pages are refused by their Origin, and requests to other names of this machine by their Host, which
 * a page could choose with a name of its own (DNS rebinding).
 *
 * @throws {Error} If the port is taken.
 */
export async function serveHttp(
  factory: McpServerFactory,
  { port, token }: { port: number; token: string },
): Promise<RunningHttp> {
  const handler = createMcpHandler(factory);
  const names = localhostAllowedHostnames();
  const answer = async (request: Request): Promise<Response> => {
    const refused = hostHeaderValidationResponse(request, names) ?? originValidationResponse(request, names);
    if (refused !== undefined) return refused;
    if (new URL(request.url).pathname !== PATH) return text(404, `Only ${PATH} exists here.`);
    if (!holdsToken(request.headers.get("authorization"), token)) {
      const reply = text(
        401,
        "Send the token that msgctl-mcp printed, or that of MSGCTL_MCP_TOKEN: Authorization: Bearer <token>",
      );
      reply.headers.set("WWW-Authenticate", "Bearer");
      return reply;
    }
    return handler.fetch(request);
  };
  const server = createHttpServer(getRequestListener(answer, { overrideGlobalObjects: false }));
  server.maxConnections = MOST_CONNECTIONS;
  server.requestTimeout = REQUEST_LIMIT_MS;
  await listen(server, port);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${own}${PATH}`,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") {
        error.message = `--http: port ${port} of ${HOST} is in use; stop the program that uses it, or choose another (0 picks a free one)`;
      }
      reject(error);
    };
    server.once("error", fail).listen(port, HOST, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function holdsToken(header: string | null, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";
  // digests have one length, which timingSafeEqual demands
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function text(status: number, body: string): Response {
  return new Response(`${body}\n`, { status, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
