// Replies too long to be read and serialized at once: they are limited in number and time, and are produced as fast as
// the client reads (docs/decisions/0019).

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { FairLine, FairSemaphore } from "../../platform/fair-line.ts";
import { clearTimeout, performance, setImmediate, setTimeout } from "../../platform/timers.ts";
import { limitWait } from "../busy.ts";
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

// Limits the part of each turn of the event loop that long lists may take, so that other requests wait no longer than
// that for them.

/** The time of 50 sends. A page of a list takes 1 ms, so that a turn has at most two. */
const SHARE_MS = 2;

export class LoopShare {
  readonly #line = new FairLine<() => void>();
  readonly #runningTime: () => number;
  #spentMs = 0;
  #isBusy = false;
  #isTurnWatched = false;

  /** @param runningTime milliseconds from any start */
  constructor(runningTime = () => performance.now()) {
    this.#runningTime = runningTime;
  }

  /** Runs a piece of work for a tenant in this turn, or in a later one if this turn's share is used up. */
  async run<T>(tenantId: number, work: () => T | Promise<T>): Promise<T> {
    if (this.#isBusy || this.#spentMs >= SHARE_MS) {
      await new Promise<void>((resolve) => this.#line.add(tenantId, resolve));
    }
    this.#isBusy = true;
    const startedAt = this.#runningTime();
    try {
      return await work();
    } finally {
      this.#spentMs += this.#runningTime() - startedAt;
      // only now: work that waits for the store outlasts the turn that it began in
      this.#watchTurn();
      this.#isBusy = false;
      this.#admitNext();
    }
  }

  #watchTurn(): void {
    if (this.#isTurnWatched) return;
    this.#isTurnWatched = true;
    setImmediate(() => {
      this.#isTurnWatched = false;
      this.#spentMs = 0;
      this.#admitNext();
    });
  }

  #admitNext(): void {
    if (this.#isBusy || this.#spentMs >= SHARE_MS) return;
    const next = this.#line.take();
    // set now: others may call `run` before it is resumed
    this.#isBusy = next !== undefined;
    next?.item();
  }
}
