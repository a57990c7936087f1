// Sends requests to the API of a carrier. A request that ended before its body left is told apart from one whose answer is
// lost: only the first was certainly not received.

import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import type { Clock } from "../platform/clock.ts";
import { defined } from "../platform/defined.ts";

/** Maximum size of an answer's body, in bytes. */
const MOST_BODY_BYTES = 256 * 1024;
/** Maximum size of an answer's status line and headers, in bytes. */
const MOST_HEADER_BYTES = 16 * 1024;
/** Shorter than the idle timeout of servers, which could otherwise close the connection just as a request is sent. */
const IDLE_MS = 4_000;

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT";
  /** Path and query, appended to the client's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
  /** Timeout from the call to the end of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when the connection is open, before the body leaves. If it rejects, so does the request, and nothing leaves. */
  readonly beforeBody?: () => Promise<void>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Thrown if the request ended before its body left, so that the carrier cannot have received it. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

export class ApiClient {
  readonly #base: URL;
  readonly #agent: HttpAgent;
  readonly #clock: Pick<Clock, "after">;
  /** Connections that are open, and encrypted if they are to be. */
  readonly #opened = new WeakSet<Socket>();

  constructor(base: string, { connections, clock }: { connections: number; clock: Pick<Clock, "after"> }) {
    this.#base = new URL(base);
    const options = { keepAlive: true, timeout: IDLE_MS, maxSockets: connections, maxFreeSockets: connections };
    this.#agent = this.#base.protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options);
    this.#clock = clock;
  }

  /**
   * Sends a request, and resolves to its answer, whatever its status. Follows no redirect. Rejects with `NotSent` if the
   * body did not leave; after any other rejection, the carrier may have received the request.
   */
  send({ method, path, headers, body = "", signal, timeoutMs, beforeBody }: ApiRequest): Promise<ApiAnswer> {
    const url = new URL(this.#base.href.replace(/\/$/, "") + path);
    const open = url.protocol === "https:" ? requestHttps : requestHttp;
    let hasLeft = false;
    return new Promise((resolve, reject) => {
      const end = (error: unknown) => {
        cancelAlarm();
        reject(error);
        request.destroy();
      };
      const fail = (error: Error) => end(hasLeft ? error : new NotSent(error.message, { cause: error }));
      const cancelAlarm = this.#clock.after(timeoutMs, () => fail(new Error(`no answer within ${timeoutMs} ms`)));
      const length = { "content-length": String(Buffer.byteLength(body)) };
      const request = open(url, {
        ...{ method, agent: this.#agent, maxHeaderSize: MOST_HEADER_BYTES, ...defined({ signal }) },
        headers: { ...headers, ...(method === "GET" ? {} : length) },
      });
      request.on("error", fail);
      request.on("response", (answer) => {
        // some servers say on an idle connection that they close it: such an answer is not about this request
        if (!hasLeft) return fail(new Error(`status ${answer.statusCode} came before the request was sent`));
        readBody(answer).then((text) => {
          cancelAlarm();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
        }, fail);
      });
      this.#whenConnected(request, () => {
        Promise.resolve(beforeBody?.()).then(() => {
          if (request.destroyed) return;
          hasLeft = true;
          request.end(body);
        }, end);
      });
    });
  }

  /** Calls `then` once the connection of the request is open and, if it is to be encrypted, is encrypted. */
  #whenConnected(request: ClientRequest, then: () => void): void {
    request.once("socket", (socket) => {
      // an open connection that the request waited for emits neither event, and the request is not told that it is reused
      if (this.#opened.has(socket)) return then();
      socket.once("encrypted" in socket ? "secureConnect" : "connect", () => {
        this.#opened.add(socket);
        then();
      });
    });
  }

  /** Closes the connections. Requests in progress fail. */
  close(): void {
    this.#agent.destroy();
  }
}

async function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) throw new Error(`an answer is longer than ${MOST_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
