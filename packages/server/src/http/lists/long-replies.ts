// Replies too long to be read and serialized at once: they are limited in number and time, and are produced as fast as
// the client reads (docs/decisions/0019).

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { FairSemaphore } from "../../platform/fair-line.ts";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";
import { limitWait } from "../busy.ts";
import { LoopShare } from "./loop-share.ts";
import type { ReplyBounds } from "./reply-bounds.ts";

export const JSON_TYPE = "application/json; charset=utf-8";

export class LongReplies {
  /** Shares the event loop between the replies being produced. */
  readonly loop = new LoopShare();
  readonly #bounds: ReplyBounds;
  readonly #permits: FairSemaphore;
  readonly #open = new Set<FastifyReply>();

  constructor(bounds: ReplyBounds) {
    this.#bounds = bounds;
    const { longLists, longListsPerTenant, waitMs } = bounds;
    const words = `Long lists are read for at most ${longListsPerTenant} requests of a tenant and ${longLists} in all at a time`;
    this.#permits = new FairSemaphore({
      atOnce: longLists,
      perOwner: longListsPerTenant,
      ...limitWait(waitMs, words),
    });
  }

  /** Refuses new replies; those in progress get a grace period. */
  stop(): void {
    this.#permits.close();
    setTimeout(() => {
      for (const reply of this.#open) reply.raw.destroy();
    }, this.#bounds.stopGraceMs).unref();
  }

  /** Sends the pieces of JSON that `texts` yields. Rejects with any failure before the first. */
  async send(reply: FastifyReply, tenantId: number, texts: AsyncGenerator<string, void, undefined>): Promise<void> {
    const { raw, log } = reply;
    if (raw.destroyed) return;
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    const leave = await this.#permits.take(tenantId, gone.signal);
    const { longestMs } = this.#bounds;
    const longest = setTimeout(() => {
      log.warn(
        { requestId: reply.request.id, address: reply.request.loggedAddress },
        `a long reply was not taken within ${longestMs / 1_000} s, and is cut off`,
      );
      raw.destroy();
    }, longestMs).unref();
    const end = () => {
      clearTimeout(longest);
      this.#open.delete(reply);
      // ends the generator after its current wait
      texts.return().catch(() => {});
      leave();
    };
    this.#open.add(reply);
    gone.signal.addEventListener("abort", end);
    try {
      gone.signal.throwIfAborted();
      const first = await texts.next();
      const text = Readable.from(startingWith(first, texts));
      gone.signal.throwIfAborted();
      // Fastify then closes the connection, so that the partial reply does not look complete
      text.once("error", (error) => {
        log.error(
          { err: error, requestId: reply.request.id, address: reply.request.loggedAddress },
          "a long reply could not be read to its end",
        );
      });
      reply.header("Content-Type", JSON_TYPE).send(text);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Replies with the error that `send` rejected with, unless the client has gone. */
  refuse(reply: FastifyReply, error: unknown): void {
    if (!reply.raw.destroyed) reply.send(error);
    else if (!isAbort(error)) {
      reply.log.error(
        { err: error, requestId: reply.request.id, address: reply.request.loggedAddress },
        "a long reply could not be read",
      );
    }
  }
}

async function* startingWith(first: IteratorResult<string, void>, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
