// The handlers of operations, keyed by the contract's operationId: what they are given, and what they return.

import type { BodyOf, OperationId, operations, PathOf, QueryOf, ResponseOf } from "@msgctl/contract";
import type { HeldKey } from "../store/idempotency.ts";
import type { Query } from "../store/store.ts";
import type { Caller, OperationContext, OperationSettings } from "./context.ts";
import type { FieldFault, Refusal } from "./refusal.ts";

/** The SDK may read and write an int64 as bigint; msgd takes and gives only what a double holds exactly. */
export type Exact<T> = T extends bigint ? never : T extends string ? T : { [K in keyof T]: Exact<T[K]> };

export interface OperationInput<K extends OperationId> {
  readonly path: Exact<PathOf<K>>;
  readonly query: Exact<QueryOf<K>>;
  readonly body: Exact<BodyOf<K>>;
}

export type OperationResult<K extends OperationId> = Exact<ResponseOf<K>>;

/**
 * Finds faults that no schema can express, reported beside those that the schema finds: the input may be anything. A
 * fault at the pointer of a schema's fault is dropped.
 */
export type FindFaults = (input: AnyInput, settings: OperationSettings) => readonly FieldFault[];

/** Throws `merchant_scope_denied` if the caller's credential may not do this at all. Runs before any lookup. */
type Authorize<Input> = (caller: Caller, input: Input) => void;

interface Read<Input, Result> {
  readonly authorize: Authorize<Input>;
  readonly read: (context: OperationContext, input: Input) => Promise<Result>;
  readonly itemwise?: ItemwiseRead<Input, Result>;
}

/** A reply without the items of its long list, and a reader of each item. */
export interface ItemwiseReply<Result, Item> {
  readonly frame: Result;
  /** The items' ids, in order. */
  readonly ids: readonly number[];
  /** Called for one item at a time, each in its own turn of the event loop, on the same snapshot. */
  readonly readItem: (id: number) => Promise<Item>;
}

/** The reading of a reply with a list too long for one turn. */
interface ItemwiseRead<Input, Result> {
  /** The list's name in the reply. */
  readonly member: unknown extends Result ? string : keyof Result & string;
  /** Checks, without reading anything long. */
  readonly isNeeded: (context: OperationContext, input: Input) => Promise<boolean>;
  readonly read: (context: OperationContext, input: Input) => Promise<ItemwiseReply<Result, unknown>>;
}

/** The query of a list, and the view of each of its rows. */
export interface Listing<View> {
  readonly query: Query<unknown>;
  readonly view: (row: unknown) => View;
}

/** Ties a query to the view of its rows. */
export function toListing<Row, View>(query: Query<Row>, view: (row: Row) => View): Listing<View> {
  return { query, view: view as Listing<View>["view"] };
}

/** An operation whose reply is a list of any length, read and sent page by page. */
interface List<Input, Item> {
  readonly authorize: Authorize<Input>;
  /** Checks, then returns the query. */
  readonly list: (context: OperationContext, input: Input) => Promise<Listing<Item>>;
}

type ItemOf<Result> = Result extends readonly (infer Item)[] ? Item : never;

/** Identifies the object that the first call created; stored as JSON beside the idempotency key. */
export type Reference = Readonly<Record<string, string | number>>;

export interface WriteResult<Result> {
  readonly result: Result;
  readonly reference: Reference;
  /** The start of the idempotency key's lifetime, in epoch milliseconds. @default now */
  readonly executedAt?: number;
}

/** Callbacks of a write in several transactions. */
export interface Slicing {
  /** Runs one transaction: it may run twice, and other requests' may run before the next. */
  readonly run: <T>(work: (context: OperationContext) => Promise<T>) => Promise<T>;
  /**
   * Called in the first transaction that writes, before it does: the key to reserve meanwhile. Throws if it is in use.
   */
  readonly claimKey: (context: OperationContext) => Promise<HeldKey | undefined>;
  /** Called in the last transaction, which reveals what was written: stores the key with it. */
  readonly keepKey: (context: OperationContext, written: Omit<WriteResult<unknown>, "result">) => Promise<void>;
  /** Signals that the write will not be finished, and is to be removed. */
  readonly notifyAbandoned: () => void;
}

interface Write<Input, Result> {
  readonly authorize: Authorize<Input>;
  readonly findFaults?: FindFaults;
  /** True if a success may leave work for the dispatcher. */
  readonly dispatches?: boolean;
  /** True if a success may schedule a job. */
  readonly schedules?: boolean;
  /** Checks, then writes, all in one transaction. */
  readonly write: (context: OperationContext, input: Input) => Promise<WriteResult<Result>>;
  /** The write of more than fits in one transaction. Nothing shows before the last one. */
  readonly inSlices?: {
    readonly isNeeded: (input: Input) => boolean;
    readonly write: (slicing: Slicing, input: Input) => Promise<WriteResult<Result>>;
  };
  /** True if its work may share a transaction with others: see `WritePriority` in store/store.ts. */
  readonly mayShare?: boolean;
  /** Returns the current state of the object that an earlier call with the same key created. */
  readonly replay: (context: OperationContext, reference: Reference) => Promise<Result>;
}

export type WriteOperation<K extends OperationId> = Write<OperationInput<K>, OperationResult<K>>;

/** Operations without an Idempotency-Key: they only read. */
type ReadId = { [K in OperationId]: (typeof operations)[K]["idempotent"] extends true ? never : K }[OperationId];

/** Operations whose reply is a list. */
type ListId = { [K in OperationId]: (typeof operations)[K]["responseIsArray"] extends true ? K : never }[OperationId];

/** One handler for each of `Id`: operations that take an Idempotency-Key write, the others read or list. */
export type Handlers<Id extends OperationId = OperationId> = {
  readonly [K in Id]: K extends ListId
    ? List<OperationInput<K>, ItemOf<OperationResult<K>>>
    : K extends ReadId
      ? Read<OperationInput<K>, OperationResult<K>>
      : WriteOperation<K>;
};

/** The input of a handler with its types erased: requests reach it only after validation against the contract. */
export type AnyInput = { readonly path: unknown; readonly query: unknown; readonly body: unknown };
export interface AnyRead extends Omit<Read<AnyInput, unknown>, "authorize"> {
  /** A check beyond that of the caller's role. */
  readonly authorize?: Authorize<AnyInput>;
}
export type AnyItemwiseRead = ItemwiseRead<AnyInput, unknown>;
export type AnyList = List<AnyInput, unknown>;
export type AnyWrite = Write<AnyInput, unknown>;
/** A handler without a transaction: it asks another part of the server. */
export interface AnyAnswer {
  readonly answer: (caller: Caller, input: AnyInput) => Promise<unknown>;
}
/** A handler whose reply goes on for as long as the client reads it. */
export interface AnyStream {
  readonly stream: (caller: Caller, input: AnyInput, events: EventSink) => void;
}
/** A handler for unauthenticated requests (sign-in, refresh, sign-out). It reads and sets cookies. */
interface SessionHandler {
  readonly visit: (visit: Visit, input: AnyInput) => Promise<unknown>;
}
/** Cookies of a browser: its session, and that its user has signed in here before. */
export type CookieName = "session" | "device";
/** Client of a visit. */
export interface Origin {
  /** Address in its normal form. */
  readonly address: string;
  readonly requestId: string;
  /** Address as log lines may show it; undefined if they may not. */
  readonly loggedAddress: string | undefined;
  /** Aborted once the client has disconnected. */
  readonly gone: AbortSignal;
}
/** A request of a browser. */
export interface Visit {
  readonly from: Origin;
  /** Returns the value of a cookie; undefined without one. */
  readCookie(name: CookieName): string | undefined;
  /** Sets a cookie for this many seconds; undefined removes it. */
  setCookie(name: CookieName, value: string | undefined, seconds?: number): void;
  /** Adds to a refusal when to come again. */
  retryAfter(seconds: number): void;
  /** Logs that signing in was refused. */
  noteRefusal(refusal: Refusal): void;
}
/** Takes the events of a stream. */
export interface EventSink {
  /** Sends an event with its data as JSON. */
  send(event: string, data: unknown): void;
  /** Called once when the client has disconnected, or the server ended the stream. */
  onEnd(end: () => void): void;
  /** Ends the stream, and with it the reply. */
  end(): void;
}
export type AnyHandler = AnyRead | AnyList | AnyWrite | AnyAnswer | AnyStream | SessionHandler;
