/** For tests: a real server on the loopback address that answers each request in a given manner, right or wrong. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

/** One request, and the means to answer it. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Resolves once the whole request has arrived. */
  taken: Promise<unknown>;
}

/** A way to answer a request. */
export type Manner = (exchange: Exchange) => unknown;

/** A request that arrived. */
export interface Arrival {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  /** The part of the body that arrived. */
  body: Buffer;
  /** Resolves when its connection is closed. */
  disconnected: Promise<void>;
}

const JSON_HEADERS = { "content-type": "application/json" };

/** A server that uses `manners[n]` for request n, then keeps the last one. */
export async function misbehaving(...manners: Manner[]) {
  const arrived: Arrival[] = [];
  const closings = new WeakMap<Socket, Promise<void>>();
  const server = createServer((request, response) => {
    const { method, url, headers, socket } = request;
    const disconnected = closings.get(socket) ?? Promise.resolve();
    const arrival: Arrival = { method, url, headers, body: Buffer.alloc(0), disconnected };
    const manner = manners[Math.min(arrived.push(arrival), manners.length) - 1];
    request.on("data", (chunk: Buffer) => {
      arrival.body = Buffer.concat([arrival.body, chunk]);
    });
    const taken = new Promise((resolve) => request.once("end", resolve));
    void manner?.({ request, response, taken });
  });
  server.on("connection", (socket) => {
    closings.set(socket, new Promise((resolve) => socket.once("close", () => resolve())));
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
}

/** Answers normally. */
export function answers(status: number, body: unknown, headers: Record<string, string | string[]> = {}): Manner {
  return async ({ response, taken }) => {
    await taken;
    response.writeHead(status, { ...JSON_HEADERS, ...headers });
    response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

/** Answers with a problem document. */
export function refuses(status: number, code: string, headers: Record<string, string | string[]> = {}): Manner {
  return answers(status, { status, code, title: code }, { "content-type": "application/problem+json", ...headers });
}

/** Accepts the request, and never answers. */
export const stallsHeaders: Manner = () => undefined;

/** Sends a part of its body, calls `onStalled`, and sends nothing more. */
export function stallsBody(onStalled: () => void = () => undefined): Manner {
  return ({ response }) =>
    response.writeHead(200, JSON_HEADERS).write('[{"merchantId":', () => setImmediate(onStalled));
}

/** Sends each byte of the body in a separate write. */
export function drips(body: string): Manner {
  return ({ response, request }) => {
    request.socket.setNoDelay(true);
    response.writeHead(200, JSON_HEADERS);
    const bytes = Buffer.from(body);
    const drip = (at: number) => {
      if (at === bytes.length) response.end();
      else response.write(bytes.subarray(at, at + 1), () => setImmediate(drip, at + 1));
    };
    drip(0);
  };
}

/** Closes the connection as soon as it sees a request on it. */
export const cutsAtOnce: Manner = ({ request }) => request.socket.destroy();

/** Reads the whole request, and closes the connection without a reply. A real server may have acted on the request. */
export const cutsBeforeReply: Manner = ({ request, taken }) => taken.then(() => request.socket.destroy());

/** Like `cutsBeforeReply`, but with a reset. */
export const resetsBeforeReply: Manner = ({ request, taken }) => taken.then(() => request.socket.resetAndDestroy());

/** Closes the connection in the middle of a body, which has a Content-Length or is chunked. */
export function cutsBody(length: "told" | "chunked"): Manner {
  return async ({ request, response, taken }) => {
    await taken;
    response.writeHead(200, { ...JSON_HEADERS, ...(length === "told" && { "content-length": "100" }) });
    response.write("[]", () => request.socket.destroySoon());
  };
}

/** Answers normally, and closes the connection that it promised to keep. */
export function answersAndHangsUp(body: unknown): Manner {
  return ({ request, response }) => {
    response.once("finish", () => request.socket.destroySoon());
    response.writeHead(200, { ...JSON_HEADERS, connection: "keep-alive" }).end(JSON.stringify(body));
  };
}

/** Compresses its body, and may omit the last bytes. */
export function gzips(body: unknown, heldBackBytes = 0): Manner {
  const packed = gzipSync(JSON.stringify(body));
  return answers(200, packed.subarray(0, packed.length - heldBackBytes), { "content-encoding": "gzip" });
}

/** Writes these bytes, which need not be HTTP, and closes the connection. */
export function writes(bytes: string | Buffer): Manner {
  return ({ request, taken }) => taken.then(() => request.socket.end(bytes));
}
