// Sends replies that contain a list. A short list is read and sent at once. A long list is read and sent piece by piece, as
// fast as the client reads. The number and duration of long replies are limited (docs/decisions/0019).

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Caller, OperationContext } from "../../domain/context.ts";
import type { AnyInput, AnyItemwiseRead, AnyList, AnyRead, Listing } from "../../domain/handler.ts";
import { FairQueue, FairSemaphore } from "../../platform/fair-queue.ts";
import { clearTimeout, performance, setImmediate, setTimeout } from "../../platform/timers.ts";
import { PAGE_ROWS, readRows, type Transaction } from "../../store/store.ts";
import type { Api } from "../api.ts";
import { limitWait } from "../busy.ts";
import type { Execution } from "../execution/execution.ts";
import { createSerializer, type Stringify } from "../replies/replies.ts";
import type { Compilations } from "../validation/ajv.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Limits of long replies. Times are in milliseconds of the machine's clock. */
export interface ReplyBounds {
  /** Maximum number of lists longer than a page that are sent at the same time: in total, and for one tenant. */
  readonly longLists: number;
  readonly longListsPerTenant: number;
  /** How long a further long list waits before it is refused. */
  readonly waitMs: number;
  /** Time limit for one list. While a list is open, the database keeps old versions of all rows changed since. */
  readonly longestMs: number;
  /** How long a reply may stall. Its connection is closed after one to three times this duration. */
  readonly stalledMs: number;
  /** How long lists may continue when the server stops. */
  readonly stopGraceMs: number;
}

export const defaultReplyBounds: ReplyBounds = {
  // each list takes at most 1 MB, and with a client that reads at full speed only some seconds
  longLists: 16,
  longListsPerTenant: 4,
  // shorter than the timeouts of clients, so that they receive the reason
  waitMs: 20_000,
  // enough for 300 000 consents at 4 Mbit/s
  longestMs: 120_000,
  stalledMs: 10_000,
  // less than the 5 s after which the server closes all connections
  stopGraceMs: 3_000,
};

/** Serializes an array of views as JSON. */
type Serialize = (views: unknown[]) => string;

/** Reads and sends an operation's reply. Throws refusals that need no lookup synchronously. */
export type SendListed = (reply: FastifyReply, caller: Caller, input: AnyInput) => void;

/** Returns a function that sends replies that are lists: up to one page of rows at once, longer lists page by page. */
export function createListSender(
  execution: Execution,
  long: LongReplies,
  operation: AnyList,
  status: number,
): SendListed {
  const { store, clock, settings } = execution;

  async function send(reply: FastifyReply, caller: Caller, input: AnyInput, serialize: Serialize): Promise<void> {
    const { listing, text } = await long.loop.run(caller.tenantId, () =>
      store.read(async (tx) => {
        const listing = await operation.list({ tx, caller, now: clock.now(), settings }, input);
        const { query, view } = listing;
        const rows = query.isWalk === true ? undefined : await readRows(tx, query, PAGE_ROWS + 1);
        const isWhole = rows !== undefined && rows.length <= PAGE_ROWS;
        return { listing, text: isWhole ? serialize(rows.map(view)) : undefined };
      }),
    );
    if (text !== undefined) reply.header("Content-Type", JSON_TYPE).send(text);
    else await long.send(reply, caller.tenantId, readPages(caller, listing, serialize));
  }

  async function* readPages(
    { tenantId }: Caller,
    { query, view }: Listing<unknown>,
    serialize: Serialize,
  ): AsyncGenerator<string, void, undefined> {
    let before = "[";
    for await (const rows of store.readPages(query)) {
      if (rows.length === 0) continue;
      const text = await long.loop.run(tenantId, () => serialize(rows.map(view)));
      // without the page's own brackets
      yield before + text.slice(1, -1);
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  }

  return (reply, caller, input) => {
    operation.authorize(caller, input);
    const serialize = serializerOf(reply, status) as Serialize;
    reply.code(status);
    send(reply, caller, input, serialize).catch((error) => long.refuse(reply, error));
  };
}

/** Minimum number of characters to send at once, because writing a short item costs as much as reading it. */
const LEAST_PIECE = 16_384;

interface ItemwiseOperation<Id extends string> {
  readonly api: Api<Id>;
  readonly operationId: Id;
  readonly operation: AnyRead;
  readonly itemwise: AnyItemwiseRead;
  readonly compilations: Compilations;
}

/**
 * Returns a function that sends replies with a list among their members: a long list item by item, all from one
 * snapshot.
 */
export function createItemwiseSender<Id extends string>(
  { store, clock, settings }: Execution,
  long: LongReplies,
  { api: { operations, schemas }, operationId, operation, itemwise, compilations }: ItemwiseOperation<Id>,
): SendListed {
  const { successStatus, responseSchema } = operations[operationId];
  const listSchema = { $ref: `${responseSchema}#/properties/${itemwise.member}` };
  const serializeList = createSerializer(listSchema, schemas, compilations);
  const contextOf = (tx: Transaction, caller: Caller): OperationContext => ({ tx, caller, now: clock.now(), settings });

  async function send(reply: FastifyReply, caller: Caller, input: AnyInput, serialize: Stringify): Promise<void> {
    const small = await store.read(async (tx) => {
      const context = contextOf(tx, caller);
      return (await itemwise.isNeeded(context, input)) ? undefined : { result: await operation.read(context, input) };
    });
    if (small !== undefined) reply.send(small.result);
    else await long.send(reply, caller.tenantId, readItems(caller, input, serialize));
  }

  async function* readItems(
    caller: Caller,
    input: AnyInput,
    serialize: Stringify,
  ): AsyncGenerator<string, void, undefined> {
    const run = <T>(work: () => T | Promise<T>) => long.loop.run(caller.tenantId, work);
    const snapshot = await store.openSnapshot();
    try {
      const { frame, ids, readItem } = await run(() => itemwise.read(contextOf(snapshot.tx, caller), input));
      const { before, after } = await run(() => splitAt(serialize(frame), itemwise.member));
      yield before;
      let piece = "";
      for (const [index, id] of ids.entries()) {
        const text = await run(async () => serializeList([await readItem(id)]));
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

  return (reply, caller, input) => {
    operation.authorize?.(caller, input);
    const serialize = serializerOf(reply, successStatus);
    reply.code(successStatus);
    send(reply, caller, input, serialize).catch((error) => long.refuse(reply, error));
  };
}

/** Returns the serializer of the route's reply with the status. */
function serializerOf(reply: FastifyReply, status: number): Stringify {
  const serialize = reply.getSerializationFunction(String(status)) as Stringify | undefined;
  if (serialize === undefined) throw new Error(`the route has no serializer for replies with status ${status}`);
  return serialize;
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

/** Sends the server's long replies, a limited number at a time. */
export class LongReplies {
  /** Shares the event loop between the replies being produced. */
  readonly loop = new LoopShare();
  readonly #bounds: ReplyBounds;
  readonly #permits: FairSemaphore;
  readonly #open = new Set<FastifyReply>();

  constructor(bounds: ReplyBounds) {
    this.#bounds = bounds;
    const { longLists, longListsPerTenant, waitMs } = bounds;
    const words = `The server is sending too many long lists: at most ${longListsPerTenant} per tenant and ${longLists} in total at a time`;
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
      log.warn(describe(reply), `cut off a long reply that the client did not read within ${longestMs / 1_000} s`);
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
      text.once("error", (error) => log.error(describe(reply, error), "a long reply failed midway"));
      reply.header("Content-Type", JSON_TYPE).send(text);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Replies with the error that `send` rejected with, unless the client has disconnected. */
  refuse(reply: FastifyReply, error: unknown): void {
    const isAbort = error instanceof Error && error.name === "AbortError";
    if (!reply.raw.destroyed) reply.send(error);
    else if (!isAbort) reply.log.error(describe(reply, error), "a long reply failed");
  }
}

function describe({ request }: FastifyReply, error?: unknown): object {
  const about = { requestId: request.id, address: request.loggedAddress };
  return error === undefined ? about : { err: error, ...about };
}

async function* startingWith(first: IteratorResult<string, void>, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/** Time that long replies may take in one turn of the event loop. */
const SHARE_MS = 2;

/** Gives each turn's `SHARE_MS` to tenants round-robin, so that long replies delay other requests by no more than that. */
export class LoopShare {
  readonly #queue = new FairQueue<() => void>();
  readonly #runningTime: () => number;
  #spentMs = 0;
  #isBusy = false;
  #isTurnWatched = false;

  /** @param runningTime milliseconds of a monotonic clock */
  constructor(runningTime = () => performance.now()) {
    this.#runningTime = runningTime;
  }

  /** Runs a task for a tenant in this turn, or in a later one if this turn's share is used up. */
  async run<T>(tenantId: number, work: () => T | Promise<T>): Promise<T> {
    if (this.#isBusy || this.#spentMs >= SHARE_MS) {
      await new Promise<void>((resolve) => this.#queue.add(tenantId, resolve));
    }
    this.#isBusy = true;
    const startedAt = this.#runningTime();
    try {
      return await work();
    } finally {
      this.#spentMs += this.#runningTime() - startedAt;
      // started only after the work, because work that waits for the store outlasts the turn in which it began
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
    const next = this.#queue.take();
    // set at once, because others may call `run` before the next task resumes
    this.#isBusy = next !== undefined;
    next?.item();
  }
}
