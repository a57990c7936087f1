// Replies that are lists. Up to a page of rows is read and sent at once; a longer list is read with a cursor and sent
// page by page, as fast as the client reads (docs/decisions/0019).

import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnyInput, AnyList, Caller, Listing } from "../../steps/operation.ts";
import { PAGE_ROWS, readRows } from "../../store/store.ts";
import type { Execution } from "../execution/execution.ts";
import { JSON_TYPE, type LongReplies } from "./long-replies.ts";

/** Reads and sends an operation's list. Throws refusals that need no look-up synchronously. */
export type SendList = (request: FastifyRequest, reply: FastifyReply, caller: Caller, input: AnyInput) => void;

/** Serializes an array of views as JSON. */
type Serialize = (views: unknown[]) => string;

export class ListReplies {
  readonly #execution: Execution;
  readonly #long: LongReplies;

  constructor(execution: Execution, long: LongReplies) {
    this.#execution = execution;
    this.#long = long;
  }

  senderOf(operation: AnyList, status: number): SendList {
    return (_request, reply, caller, input) => {
      operation.authorize(caller, input);
      const serialize = reply.getSerializationFunction(String(status)) as Serialize | undefined;
      if (serialize === undefined) throw new Error("a list has no serializer");
      reply.code(status);
      this.#send(reply, { operation, caller, input, serialize }).catch((error) => this.#long.refuse(reply, error));
    };
  }

  async #send(reply: FastifyReply, list: AskedList): Promise<void> {
    const { operation, caller, input, serialize } = list;
    const { store, clock, settings } = this.#execution;
    const { listing, text } = await this.#long.loop.run(caller.tenantId, () =>
      store.read(async (tx) => {
        const listing = await operation.list({ tx, caller, now: clock.now(), settings }, input);
        const { query, view } = listing;
        const rows = query.isWalk === true ? undefined : await readRows(tx, query, PAGE_ROWS + 1);
        const isWhole = rows !== undefined && rows.length <= PAGE_ROWS;
        return { listing, text: isWhole ? serialize(rows.map(view)) : undefined };
      }),
    );
    if (text !== undefined) reply.header("Content-Type", JSON_TYPE).send(text);
    else await this.#long.send(reply, caller.tenantId, this.#textOf({ ...list, listing }));
  }

  async *#textOf({
    caller,
    listing,
    serialize,
  }: AskedList & { listing: Listing<unknown> }): AsyncGenerator<string, void, undefined> {
    let before = "[";
    for await (const rows of this.#execution.store.readPages(listing.query)) {
      if (rows.length === 0) continue;
      const text = await this.#long.loop.run(caller.tenantId, () => serialize(rows.map(listing.view)));
      // without the page's own brackets
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
