/** Requests over HTTP to a server anywhere, few enough and short enough to be safe. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { CheckedReply } from "../../../packages/server/src/contract-check.ts";
import { type Credential, NotReachable, type Send } from "../target.ts";

/** Ends a run that can go no further: nobody answers, or a bound is reached. */
export class RunEnded extends Error {}

export interface Bounds {
  readonly requestTimeoutMs: number;
  /** Of the whole run. */
  readonly deadlineMs: number;
  readonly maxRequests: number;
}

const MAX_REPLY_BYTES = 32 << 20;
/** A server may hang up on a body that it will not read to its end. */
const HANG_UPS: readonly unknown[] = ["ECONNRESET", "EPIPE", "ECONNABORTED"];

/** Sends to the server below `baseUrl`. @throws {RunEnded} When nobody answers, or a bound is reached. */
export function createHttpSend(baseUrl: URL, credential: Credential, bounds: Bounds): Send {
  const endsAt = performance.now() + bounds.deadlineMs;
  let sent = 0;

  return async ({ method, url, body }, { headers, as = credential } = {}) => {
    sent += 1;
    if (sent > bounds.maxRequests) throw new RunEnded(`ended after ${bounds.maxRequests} requests, its bound`);
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw new RunEnded(`ended after ${bounds.deadlineMs / 1_000} s, its bound: see --timeout`);
    const isText = typeof body === "string";
    const content = body === undefined || isText ? body : JSON.stringify(body);
    const all: Record<string, string> = {
      ...(as === null ? {} : { "x-api-key": as.apiKey, "x-api-secret": as.apiSecret }),
      ...(content === undefined ? {} : { "content-length": String(Buffer.byteLength(content)) }),
      ...(content === undefined || isText ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    return exchange(new URL(`${baseUrl.pathname.replace(/\/$/, "")}${url}`, baseUrl), {
      ...{ method, headers: all, content },
      timeoutMs: Math.min(bounds.requestTimeoutMs, leftMs),
    });
  };
}

interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | undefined;
  readonly timeoutMs: number;
}

function exchange(url: URL, { content, timeoutMs, ...options }: Exchange): Promise<CheckedReply> {
  const start = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
    const fail = (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message;
      const isLarge = (content?.length ?? 0) > 1 << 20;
      if (isLarge && HANG_UPS.includes(error.code)) {
        return reject(new NotReachable(`the connection ended (${code}) before a reply came`));
      }
      const what = signal.aborted ? `no reply in ${Math.ceil(timeoutMs)} ms` : code;
      return reject(new RunEnded(`${options.method} ${url.origin}${url.pathname}: ${what}`));
    };
    const sending = start(url, { ...options, signal }, (reply) => {
      readBody(reply).then(
        (body) => resolve({ statusCode: reply.statusCode ?? 0, headers: reply.headers, body }),
        fail,
      );
    });
    sending.on("error", fail);
    sending.end(content);
  });
}

async function readBody(reply: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of reply as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_REPLY_BYTES) throw new Error(`a reply of more than ${MAX_REPLY_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
