/** The HTTP server to which the service posts callbacks. It enforces all limits, and passes valid requests on. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../../failures/errors.ts";
import type { Delivery, Reply } from "./delivery.ts";

export interface ReceiverOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The only accepted path; undefined accepts any path. */
  path: string | undefined;
  take(delivery: Delivery): Promise<Reply>;
  /** Called for a request that cannot be a callback. */
  refused(line: string, reason: string): void;
  /** Called for each request that is answered. */
  answered(line: string, status: number): void;
}

export interface Receiver {
  /** The URL to which the service has to post. */
  url: string;
  /** Stops accepting requests and waits up to `graceMs` for those in flight. */
  close(graceMs: number): Promise<void>;
  /** Number of requests in flight. */
  readonly openCount: number;
}

/** Limits for each client. */
export interface Bounds {
  bodyBytes: number;
  connections: number;
  /** Time limit for receiving the headers and the body. */
  requestMs: number;
  /** Interval of checks for slow requests. */
  checkMs: number;
}

/** Generous limits: a callback has a few kilobytes, and the service opens at most eight connections. */
const BOUNDS: Bounds = { bodyBytes: 1024 * 1024, connections: 64, requestMs: 10_000, checkMs: 1_000 };

/** @throws {UsageError} If the server cannot listen on the host and port. */
export async function openReceiver(options: ReceiverOptions, bounds = BOUNDS): Promise<Receiver> {
  const { createServer } = await import("node:http");
  const open = new Set<Promise<void>>();
  const { bodyBytes, connections, requestMs, checkMs } = bounds;
  const timeouts = { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs };
  const server = createServer(timeouts, (request, response) => {
    const answering = answer(request, response, options, bodyBytes).finally(() => open.delete(answering));
    open.add(answering);
  });
  server.maxConnections = connections;
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}${options.path ?? "/"}`,
    get openCount() {
      return open.size;
    },
    async close(graceMs) {
      server.close();
      server.closeIdleConnections();
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(open), grace]);
      clearTimeout(timer);
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, { host, port }: ReceiverOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) => reject(toListenFailure(error.code, host, port)));
    server.listen(port, host, resolve);
  });
}

function toListenFailure(code: string | undefined, host: string, port: number): UsageError {
  if (code === "EADDRINUSE") {
    return new UsageError(`--port: port ${port} of ${host} is already in use`, [
      "Give --port 0 for a free port, or stop the other program: it may be another `msgctl listen`.",
    ]);
  }
  if (code === "EACCES") {
    return new UsageError(`--port: this user may not listen on port ${port}`, ["Give a --port above 1023."]);
  }
  return new UsageError(`--host: ${JSON.stringify(host)} is not an address of this machine (${code})`, [
    "Leave --host out to listen on this machine only, or give an address of one of its networks.",
  ]);
}

interface Refusal extends Reply {
  reason: string;
}

/** Handles a request. Never rejects: if the connection is lost, there is nobody to answer. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiverOptions,
  mostBytes: number,
): Promise<void> {
  const line = `${request.method} ${request.url}`;
  const tooLarge: Refusal = { status: 413, reason: `its body has more than ${mostBytes} bytes` };
  const refusal = findRefusal(request, options.path) ?? (statedBytes(request) > mostBytes ? tooLarge : undefined);
  const body = refusal === undefined ? await readBody(request, mostBytes) : undefined;
  if (body === "gone") return;
  const refused = refusal ?? (body === undefined ? tooLarge : undefined);
  if (refused !== undefined) options.refused(line, refused.reason);
  const reply = refused ?? (await options.take({ body: body as Buffer, headers: request.headers }));
  const { status, retryAfter } = reply;
  options.answered(line, status);
  // the client has disconnected
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.writeHead(status, {
      "content-length": 0,
      ...(retryAfter !== undefined && { "retry-after": retryAfter }),
      ...(status === 405 && { allow: "POST" }),
      // the unread rest of the request makes the connection unusable
      ...(refused !== undefined && { connection: "close" }),
    });
    response.end();
  });
}

function statedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

function findRefusal(request: IncomingMessage, path: string | undefined): Refusal | undefined {
  const { method, url = "", headers } = request;
  if (path !== undefined && url.split("?")[0] !== path) return { status: 404, reason: `callbacks come to ${path}` };
  if (method !== "POST") return { status: 405, reason: "callbacks are POST requests" };
  // A web page can make a browser post to this machine. With --no-verify, that request would reach the handler.
  if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) {
    return { status: 403, reason: "a browser sent it for a web page" };
  }
  return undefined;
}

/** Returns undefined if the body is too large, `gone` if the connection was lost. */
async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined | "gone"> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > mostBytes) return undefined;
      chunks.push(bytes);
    }
  } catch {
    return "gone";
  }
  return Buffer.concat(chunks);
}
