// Replies that are lists. Up to a page of rows is read and sent at once; a longer list is read with a cursor and sent
// page by page, as fast as the client reads (docs/decisions/0019).

import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { FairLine, FairSemaphore } from "../../platform/fair-line.ts";
import { clearTimeout, performance, setImmediate, setTimeout } from "../../platform/timers.ts";
import type {
  AnyInput,
  AnyList,
  AnyPartedRead,
  AnyRead,
  Caller,
  Listing,
  OperationContext,
} from "../../steps/operation.ts";
import { PAGE_ROWS, readRows, type Transaction } from "../../store/store.ts";
import type { Api } from "../api.ts";
import { limitWait } from "../busy.ts";
import type { Execution } from "../execution/execution.ts";
import { createSerializer, type Stringify } from "../replies/replies.ts";
import type { Compilations } from "../validation/ajv.ts";

// Replies too long to be read and serialized at once: they are limited in number and time, and are produced as fast as
// the client reads (docs/decisions/0019).

const JSON_TYPE = "application/json; charset=utf-8";

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

// Replies that are one object with a list that may be long. A small one is read and sent at once; a large one's list is
// read and sent item by item, all from one snapshot (docs/decisions/0019).

/** The least number of characters to send at once: writing a short item costs as much as reading it. */
const LEAST_PIECE = 16_384;

/** Reads and sends a reply. Throws refusals that need no look-up synchronously. */
export type SendParts = (reply: FastifyReply, caller: Caller, input: AnyInput) => void;

export class PartedReplies {
  readonly #execution: Execution;
  readonly #compilations: Compilations;
  readonly #long: LongReplies;

  constructor(execution: Execution, compilations: Compilations, long: LongReplies) {
    this.#execution = execution;
    this.#compilations = compilations;
    this.#long = long;
  }

  senderOf<Id extends string>(
    { operations, schemas }: Api<Id>,
    operationId: Id,
    operation: AnyRead,
    inParts: AnyPartedRead,
  ): SendParts {
    const { successStatus, responseSchema } = operations[operationId];
    const listSchema = { $ref: `${responseSchema}#/properties/${inParts.member}` };
    const serializeList = createSerializer(listSchema, schemas, this.#compilations);
    return (reply, caller, input) => {
      operation.authorize?.(caller, input);
      reply.code(successStatus);
      const serialize = reply.getSerializationFunction(String(successStatus)) as Stringify | undefined;
      if (serialize === undefined) throw new Error(`${operationId} has no serializer`);
      const asked = { operation, inParts, caller, input, serialize, serializeList };
      this.#send(reply, asked).catch((error) => this.#long.refuse(reply, error));
    };
  }

  async #send(reply: FastifyReply, asked: Asked): Promise<void> {
    const { operation, inParts, caller, input } = asked;
    const small = await this.#execution.store.read(async (tx) => {
      const context = this.#contextOf(tx, caller);
      return (await inParts.isNeeded(context, input)) ? undefined : { result: await operation.read(context, input) };
    });
    if (small !== undefined) reply.send(small.result);
    else await this.#long.send(reply, caller.tenantId, this.#textOf(asked));
  }

  async *#textOf({ inParts, caller, input, serialize, serializeList }: Asked): AsyncGenerator<string, void, undefined> {
    const { loop } = this.#long;
    const snapshot = await this.#execution.store.openSnapshot();
    try {
      const { frame, ids, readItem } = await loop.run(caller.tenantId, () =>
        inParts.read(this.#contextOf(snapshot.tx, caller), input),
      );
      const { before, after } = await loop.run(caller.tenantId, () => splitAt(serialize(frame), inParts.member));
      yield before;
      let piece = "";
      for (const [index, id] of ids.entries()) {
        const text = await loop.run(caller.tenantId, async () => serializeList([await readItem(id)]));
        // without the item's own brackets
        piece += (index === 0 ? "" : ",") + text.slice(1, -1);
        if (piece.length < LEAST_PIECE) continue;
        yield piece;
        piece = "";
      }
      yield piece + after;
    } finally {
      snapshot.end();
    }
  }

  #contextOf(tx: Transaction, caller: Caller): OperationContext {
    const { clock, settings } = this.#execution;
    return { tx, caller, now: clock.now(), settings };
  }
}

interface Asked {
  readonly operation: AnyRead;
  readonly inParts: AnyPartedRead;
  readonly caller: Caller;
  readonly input: AnyInput;
  /** Serializes the whole reply. */
  readonly serialize: Stringify;
  /** Serializes only the list. */
  readonly serializeList: Stringify;
}

/** Splits the JSON inside the brackets of the empty list `member`. */
function splitAt(json: string, member: string): { before: string; after: string } {
  // quotes within strings are escaped, so this can only match the member
  const opening = `"${member}":[`;
  const start = json.indexOf(`${opening}]`);
  if (start === -1) throw new Error(`a reply has no empty ${member}`);
  const end = start + opening.length;
  return { before: json.slice(0, end), after: json.slice(end) };
}

/** Limits on replies while they are sent. Times are milliseconds of the machine's clock. */
export interface ReplyBounds {
  /** How many lists longer than a page are sent at once, in all and for one tenant. */
  readonly longLists: number;
  readonly longListsPerTenant: number;
  /** How long another waits for its turn before it is refused. */
  readonly waitMs: number;
  /** How long one may take, even if the client reads slowly: while it is open, the database keeps all later changes. */
  readonly longestMs: number;
  /** How long a reply may stall before its connection is ended: after one to three times this. */
  readonly stalledMs: number;
  /** How long lists may go on when the server stops. */
  readonly stopGraceMs: number;
}

export const defaultReplyBounds: ReplyBounds = {
  // each costs 1 MB at most, and none of a well-behaved client lasts longer than some seconds
  longLists: 16,
  longListsPerTenant: 4,
  // less than clients wait, so that they are told why
  waitMs: 20_000,
  // 300 000 consents at 4 Mbit/s
  longestMs: 120_000,
  stalledMs: 10_000,
  // before the server closes all connections, at 5 s
  stopGraceMs: 3_000,
};
