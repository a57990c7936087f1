// One client's connection. Its requests are handled one after the other, as RFC 9112 (9.3.2) requires if one may write:
// replies keep their order, malformed input is answered in its turn, and one client takes little of the server.

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clearTimeout, setImmediate, setTimeout } from "../../platform/timers.ts";
import type { Refusal } from "../../rules/refusal.ts";

/** How many requests may wait behind the one being handled. Clients that pipeline send about ten ahead. */
export const LONGEST_PIPELINE = 100;
/**
 * How long a connection is read from after its last reply. Closing it with unread bytes would reset it, and some
 * clients then discard what they have not read of the reply (RFC 9112, 9.6).
 */
const LINGER_MS = 2_000;

type Reply = ServerResponse<IncomingMessage>;

export interface ConnectionParts {
  readonly handle: RequestListener;
  /** Returns the bytes of the reply to malformed input. */
  readonly render: (refusal: Refusal) => string;
}

export class Connection {
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  /** The reply to the last request taken, which may be waiting. */
  #latest: Reply | undefined;
  #waiting = 0;
  /** No more requests are taken: the client has been told so, or will be after the pending replies. */
  #isEnding = false;
  #refusal: Refusal | undefined;

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Handles the request once those before it have been answered. */
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
      // `Connection: close` tells the client that the rest was not begun
      previous.shouldKeepAlive = false;
      // Node calls this to end the connection
      this.#socket.destroySoon = () => this.#end();
      return;
    }
    this.#latest = reply;
    this.#waiting += 1;
    // each begins in its own turn of the event loop, so that many of them do not block other connections
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
    // the fault is in a request's body: the refusal is its reply, unless it already has one
    else if (latest.headersSent) this.#endAfter(latest);
    else if (this.#waiting === 0) this.#end(refusal);
  }

  /** Also stops reading: each parsed request stays in memory until the connection ends. */
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
    // replacing the listener keeps the bytes from the parser
    socket.once("resume", () => socket.removeAllListeners("data").on("data", () => {}));
    socket.resume();
  }
}
