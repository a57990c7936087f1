// One client's connection. Its requests are worked on one after the other, as RFC 9112 (9.3.2) asks where one may write:
// so replies keep their order, what is no request is answered in its turn, and one client holds little of the server.

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Refusal } from "../../rules/refusal.ts";

/** How many requests may wait behind the one that is worked on. Clients that pipeline send some ten ahead. */
export const LONGEST_PIPELINE = 100;
/**
 * How long a connection is read from behind its last reply. Closed with bytes unread, the system would tell the client of
 * an error, and some throw away then what they have not read of the answer (RFC 9112, 9.6).
 */
const LINGER_MS = 2_000;

type Reply = ServerResponse<IncomingMessage>;

export interface ConnectionParts {
  readonly handle: RequestListener;
  /** The bytes that answer what is no request. */
  readonly render: (refusal: Refusal) => string;
}

export class Connection {
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  /** To the last request that was taken, which may be waiting. */
  #latest: Reply | undefined;
  #waiting = 0;
  /** Nothing more is taken: the client was told so, or will be after the replies that are due. */
  #isEnding = false;
  #refusal: Refusal | undefined;

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Has the request handled when those before it are answered. */
  take(request: IncomingMessage, reply: Reply): void {
    if (this.#isEnding) return;
    const previous = this.#latest;
    if (previous === undefined || previous.writableFinished) {
      this.#latest = reply;
      this.#parts.handle(request, reply);
      return;
    }
    if (this.#waiting === LONGEST_PIPELINE) {
      this.#takeNoMore();
      // the rest was not begun, and `Connection: close` says so
      previous.shouldKeepAlive = false;
      // which has Node end the connection so
      this.#socket.destroySoon = () => this.#end();
      return;
    }
    this.#latest = reply;
    this.#waiting += 1;
    // a turn of the event loop each: however many wait, nobody else does for them
    previous.once("close", () => setImmediate(() => this.#begin(request, reply)));
  }

  /** Ends the connection, after all replies that are due, with the answer to what cannot be taken as a request. */
  refuse(refusal: Refusal): void {
    if (this.#isEnding) return;
    this.#takeNoMore();
    this.#refusal = refusal;
    const latest = this.#latest;
    if (latest === undefined || !this.#socket.writable) this.#end(refusal);
    else if (latest.req.complete) this.#endAfter(latest, refusal);
    // the fault is in the body of a request: the answer is to that one, unless it has its reply already
    else if (latest.headersSent) this.#endAfter(latest);
    else if (this.#waiting === 0) this.#end(refusal);
  }

  /** Nor is more read: each request that is parsed stays in memory until the connection ends. */
  #takeNoMore(): void {
    this.#isEnding = true;
    // Node resumes the socket for each body that is read
    this.#socket.on("resume", this.#socket.pause).pause();
  }

  #begin(request: IncomingMessage, reply: Reply): void {
    this.#waiting -= 1;
    if (!this.#socket.writable) return;
    if (this.#refusal !== undefined && !request.complete) this.#end(this.#refusal);
    else this.#parts.handle(request, reply);
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
    socket.end(refusal === undefined ? "" : this.#parts.render(refusal));
    socket.off("resume", socket.pause);
    // with another listener for them, the bytes no longer go to the parser
    socket.once("resume", () => socket.removeAllListeners("data").on("data", () => {}));
    socket.resume();
  }
}
