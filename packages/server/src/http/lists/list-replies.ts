// Replies that are lists. A page of rows is read and answered at once; what is longer is read by a cursor and sent page by
// page, as fast as it is taken (docs/decisions/0019).

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnyInput, AnyList, Caller, Listing } from "../../operations/operation.ts";
import { PAGE_ROWS, readRows } from "../../store/store.ts";
import type { Execution } from "../execution.ts";
import { LoopShare } from "./loop-share.ts";
import { Places } from "./places.ts";
import type { ReplyBounds } from "./reply-bounds.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Reads and sends what an operation lists. Throws at once what needs no look-up to refuse. */
export type SendList = (request: FastifyRequest, reply: FastifyReply, caller: Caller, input: AnyInput) => void;

/** Makes an array of views into JSON. */
type Serialize = (views: unknown[]) => string;

export class ListReplies {
  readonly #execution: Execution;
  readonly #bounds: ReplyBounds;
  readonly #loop = new LoopShare();
  readonly #places: Places;
  readonly #open = new Set<FastifyReply>();

  constructor(execution: Execution, bounds: ReplyBounds) {
    this.#execution = execution;
    this.#bounds = bounds;
    this.#places = new Places({
      atOnce: bounds.longLists,
      perTenant: bounds.longListsPerTenant,
      waitMs: bounds.waitMs,
    });
  }

  senderOf(operation: AnyList, status: number): SendList {
    return (request, reply, caller, input) => {
      operation.authorize(caller, input);
      const serialize = reply.getSerializationFunction(String(status)) as Serialize | undefined;
      if (serialize === undefined) throw new Error("a list has no serializer");
      reply.code(status);
      this.#send(reply, { operation, caller, input, serialize }).catch((error) => {
        // nobody is there to be told
        if (!reply.raw.destroyed) reply.send(error);
        else if (!isAbort(error)) request.log.error({ err: error, requestId: request.id }, "a list could not be read");
      });
    };
  }

  /** Takes up no more long lists; those under way have a while to end. */
  stop(): void {
    this.#places.close();
    setTimeout(() => {
      for (const reply of this.#open) reply.raw.destroy();
    }, this.#bounds.stopGraceMs).unref();
  }

  async #send(reply: FastifyReply, list: AskedList): Promise<void> {
    const { operation, caller, input, serialize } = list;
    const { store, clock, settings } = this.#execution;
    const { listing, text } = await this.#loop.run(caller.tenantId, () =>
      store.read(async (tx) => {
        const listing = await operation.list({ tx, caller, now: clock.now(), settings }, input);
        const { query, view } = listing;
        const rows = query.isWalk === true ? undefined : await readRows(tx, query, PAGE_ROWS + 1);
        const isWhole = rows !== undefined && rows.length <= PAGE_ROWS;
        return { listing, text: isWhole ? serialize(rows.map(view)) : undefined };
      }),
    );
    if (text !== undefined) reply.header("Content-Type", JSON_TYPE).send(text);
    else await this.#sendLong(reply, { ...list, listing });
  }

  async #sendLong(reply: FastifyReply, list: AskedList & { listing: Listing<unknown> }): Promise<void> {
    const { raw, log } = reply;
    if (raw.destroyed) return;
    const { caller, listing } = list;
    const gone = new AbortController();
    raw.once("close", () => gone.abort());
    // nothing is read before the first page is asked for
    const pages = this.#execution.store.readPages(listing.query);
    const leave = await this.#places.take(caller.tenantId, gone.signal);
    const { longestMs } = this.#bounds;
    const longest = setTimeout(() => {
      log.warn({ requestId: reply.request.id }, `a list was not taken within ${longestMs / 1_000} s, and is cut off`);
      raw.destroy();
    }, longestMs).unref();
    const end = () => {
      clearTimeout(longest);
      this.#open.delete(reply);
      // what it waits for is not waited for again
      pages.return?.().catch(() => {});
      leave();
    };
    this.#open.add(reply);
    gone.signal.addEventListener("abort", end);
    try {
      gone.signal.throwIfAborted();
      const text = Readable.from(this.#textOf(await pages.next(), pages, list));
      gone.signal.throwIfAborted();
      // Fastify closes the connection: what has gone out must not look whole
      text.once("error", (error) => {
        log.error({ err: error, requestId: reply.request.id }, "a list could not be read to its end");
      });
      reply.header("Content-Type", JSON_TYPE).send(text);
    } catch (error) {
      end();
      throw error;
    }
  }

  async *#textOf(
    first: IteratorResult<unknown[], unknown>,
    pages: AsyncIterator<unknown[]>,
    { caller, listing, serialize }: AskedList & { listing: Listing<unknown> },
  ): AsyncGenerator<string, void, undefined> {
    let before = "[";
    for (let page = first; page.done !== true; page = await pages.next()) {
      const rows = page.value;
      if (rows.length === 0) continue;
      const text = await this.#loop.run(caller.tenantId, () => serialize(rows.map(listing.view)));
      // its brackets are not those of the list
      yield before + text.slice(1, -1);
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  }
}

interface AskedList {
  readonly operation: AnyList;
  readonly caller: Caller;
  readonly input: AnyInput;
  readonly serialize: Serialize;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
