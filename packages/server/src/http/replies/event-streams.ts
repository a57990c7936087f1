// Replies with streams of server-sent events (HTML, 9.2). The number of streams and each one's unsent bytes are limited.

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Caller } from "../../domain/context.ts";
import type { AnyInput, AnyStream, EventSink } from "../../domain/handler.ts";
import { Refusal } from "../../domain/refusal.ts";
import { clearInterval, setInterval } from "../../platform/timers.ts";

/** The most open streams: in total, of one tenant, and of one user. A browser has one per page. */
export const MOST_STREAMS = { inAll: 1_000, ofTenant: 200, ofUser: 40 };
/** The most unsent bytes of a stream. A client that falls further behind is disconnected, and reconnects. */
const MOST_WAITING_BYTES = 256 * 1024;
/** Interval of comments. They are needed because proxies close a connection that is silent for a minute. */
const SIGN_OF_LIFE_MS = 15_000;
/** Time that a browser waits before it reconnects. */
const RETRY_MS = 1_000;

export class EventStreams {
  readonly #open = new Map<EventStream, Caller>();
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  /** Opens a stream that the operation fills. Throws `rate_limited` if too many are open. */
  send(reply: FastifyReply, operation: AnyStream, caller: Caller, input: AnyInput): void {
    this.#requireRoom(caller);
    const stream = new EventStream();
    this.#open.set(stream, caller);
    this.#timer ??= setInterval(() => this.#showLife(), SIGN_OF_LIFE_MS).unref();
    const { socket } = reply.raw;
    const end = () => stream.end();
    reply.raw.once("close", end);
    // the server allows half-open connections, but a client that ends its side of a stream has left
    socket?.once("end", end);
    stream.onEnd(() => {
      this.#open.delete(stream);
      socket?.off("end", end);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    try {
      operation.stream(caller, input, stream);
    } catch (error) {
      stream.end();
      throw error;
    }
    reply
      .header("Content-Type", "text/event-stream; charset=utf-8")
      .header("Cache-Control", "no-store")
      // nginx would buffer the events
      .header("X-Accel-Buffering", "no")
      .send(stream.text);
  }

  /** Ends every stream and refuses new ones. */
  stop(): void {
    this.#isStopping = true;
    for (const stream of this.#open.keys()) stream.end();
  }

  #requireRoom({ tenantId, apiKey }: Caller): void {
    if (this.#isStopping) throw new Refusal("unavailable", "The server is being stopped.");
    const { inAll, ofTenant, ofUser } = MOST_STREAMS;
    const ofSameTenant = [...this.#open.values()].filter((owner) => owner.tenantId === tenantId);
    const own = ofSameTenant.filter((owner) => owner.apiKey === apiKey).length;
    if (this.#open.size < inAll && ofSameTenant.length < ofTenant && own < ofUser) return;
    const detail = `Too many streams are open: the limits are ${ofUser} per user, ${ofTenant} per tenant and ${inAll} in total. Close one.`;
    throw new Refusal("rate_limited", detail);
  }

  #showLife(): void {
    for (const stream of this.#open.keys()) stream.write(":\n\n");
  }
}

class EventStream implements EventSink {
  readonly text: Readable;
  readonly #ends: (() => void)[] = [];
  #hasEnded = false;

  constructor() {
    this.text = new Readable({ read() {} });
    this.text.once("close", () => this.end());
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  send(event: string, data: unknown): void {
    // JSON has no line breaks
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  write(text: string): void {
    if (this.#hasEnded) return;
    this.text.push(text);
    if (this.text.readableLength <= MOST_WAITING_BYTES) return;
    this.end();
    // without this the connection would stay open until the client has read everything
    this.text.destroy();
  }

  onEnd(end: () => void): void {
    if (this.#hasEnded) end();
    else this.#ends.push(end);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.text.push(null);
    for (const end of this.#ends) end();
  }
}
