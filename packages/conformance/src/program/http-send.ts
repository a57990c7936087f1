/** Sends HTTP requests to any server, with limits on their number, duration and size. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { type Credential, NoReply, NotReachable, RunEnded, type Send } from "../target/send.ts";

export interface Bounds {
  readonly requestTimeoutMs: number;
  /** Time limit of the whole run. */
  readonly deadlineMs: number;
  readonly maxRequests: number;
  /** Ends the run when it is aborted. */
  readonly interruption?: AbortSignal;
}

const MAX_REPLY_BYTES = 32 << 20;
/** From this length on, a server may refuse a body by its Content-Length, and close the connection without reading it. */
const LARGE_CHARACTERS = 1 << 20;
/** Time for which a large body is held back after the headers, so that such a refusal can arrive first. */
const HEAD_START_MS = 100;
const HANG_UPS: readonly unknown[] = ["ECONNRESET", "EPIPE", "ECONNABORTED"];

/**
 * Sends to the server below `baseUrl`, without following redirects.
 * @throws {NoReply} If a reachable server does not answer, or its reply cannot be read.
 * @throws {RunEnded} If no server is reachable, or a limit is reached.
 */
export function createHttpSend(baseUrl: URL, credential: Credential, bounds: Bounds): Send {
  const endsAt = performance.now() + bounds.deadlineMs;
  let sent = 0;

  return async ({ method, url, body }, { headers, as = credential } = {}) => {
    sent += 1;
    if (sent > bounds.maxRequests) throw new RunEnded(`ended after ${bounds.maxRequests} requests, the limit`);
    const endIfDue = () => {
      if (bounds.interruption?.aborted) throw new RunEnded("interrupted");
      if (performance.now() < endsAt) return;
      throw new RunEnded(`ended after ${bounds.deadlineMs / 1_000} s, the limit: --timeout allows more`);
    };
    endIfDue();
    const isText = typeof body === "string";
    const content = body === undefined || isText ? body : JSON.stringify(body);
    const all: Record<string, string> = {
      ...(as === null ? {} : { "x-api-key": as.apiKey, "x-api-secret": as.apiSecret }),
      ...(content === undefined ? {} : { "content-length": String(Buffer.byteLength(content)) }),
      ...(content === undefined || isText ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    const timeoutMs = Math.min(bounds.requestTimeoutMs, Math.max(1, Math.ceil(endsAt - performance.now())));
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = bounds.interruption === undefined ? timeout : AbortSignal.any([timeout, bounds.interruption]);
    const address = new URL(`${baseUrl.pathname.replace(/\/$/, "")}${url}`, baseUrl);
    try {
      return await exchange(address, { method, headers: all, content, signal });
    } catch (error) {
      endIfDue();
      throw error;
    }
  };
}

interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | undefined;
  readonly signal: AbortSignal;
}

function exchange(url: URL, { content, ...options }: Exchange): Promise<CheckedReply> {
  const start = url.protocol === "https:" ? httpsRequest : httpRequest;
  const isLarge = (content?.length ?? 0) > LARGE_CHARACTERS;
  return new Promise((resolve, reject) => {
    let isConnected = false;
    let isAnswered = false;
    const startedMs = performance.now();
    const fail = (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message;
      if (isLarge && HANG_UPS.includes(error.code)) {
        return reject(new NotReachable(`the connection ended (${code}) before a reply came`));
      }
      const passedMs = Math.round(performance.now() - startedMs);
      const what = options.signal.aborted ? `no reply in ${passedMs} ms` : `no reply that can be read: ${code}`;
      const message = `${options.method} ${url.origin}${url.pathname}: ${what}`;
      return reject(isConnected ? new NoReply(message) : new RunEnded(message));
    };
    // a new connection, since the server may close a kept one just as the next request is sent
    const sending = start(url, { ...options, agent: false }, (reply) => {
      isAnswered = true;
      clearTimeout(bodyTimer);
      readBody(reply)
        .then((body) => resolve({ statusCode: reply.statusCode ?? 0, headers: reply.headers, body }), fail)
        // stops sending a body if the server has answered the headers
        .finally(() => sending.destroy());
    });
    let bodyTimer: NodeJS.Timeout | undefined;
    // a refusal may have arrived while this process was busy: it is read before the callback of `setImmediate`
    const sendBody = () => isAnswered || sending.end(content);
    const begin = () => {
      isConnected = true;
      if (isLarge) bodyTimer = setTimeout(() => setImmediate(sendBody), HEAD_START_MS);
    };
    sending.on("socket", (socket) => {
      if (!socket.connecting) begin();
      else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", begin);
    });
    sending.on("error", fail);
    if (isLarge) sending.flushHeaders();
    else sending.end(content);
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
