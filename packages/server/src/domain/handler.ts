// Types of the handlers of operations, keyed by the contract's operationId, and of their input and results.

import type { BodyOf, OperationId, operations, PathOf, QueryOf, ResponseOf } from "@msgctl/contract";
import type { HeldKey } from "../store/idempotency.ts";
import type { Query } from "../store/store.ts";
import type { Caller, OperationContext, OperationSettings } from "./context.ts";
import type { FieldFault, Refusal } from "./refusal.ts";

/** Excludes bigint: SDK types allow an int64 as bigint, but msgd accepts and returns only safe integers. */
export type Exact<T> = T extends bigint ? never : T extends string ? T : { [K in keyof T]: Exact<T[K]> };

export interface OperationInput<K extends OperationId> {
  readonly path: Exact<PathOf<K>>;
  readonly query: Exact<QueryOf<K>>;
  readonly body: Exact<BodyOf<K>>;
}

export type OperationResult<K extends OperationId> = Exact<ResponseOf<K>>;

/**
 * Finds faults that no schema can express. They are reported together with the schema's faults, so the input is
 * unvalidated. A fault at the same pointer as a schema fault is dropped.
 */
export type FindFaults = (input: AnyInput, settings: OperationSettings) => readonly FieldFault[];

/** Throws `merchant_scope_denied` if the caller's credential does not permit the operation. Runs before any lookup. */
type Authorize<Input> = (caller: Caller, input: Input) => void;

interface Read<Input, Result> {
  readonly authorize: Authorize<Input>;
  readonly read: (context: OperationContext, input: Input) => Promise<Result>;
  readonly itemwise?: ItemwiseRead<Input, Result>;
}

/** A reply without the items of its long list, and a function that reads each item. */
export interface ItemwiseReply<Result, Item> {
  readonly frame: Result;
  /** The items' ids, in order. */
  readonly ids: readonly number[];
  /** Reads one item. Each call gets its own turn of the event loop; all read the same snapshot. */
  readonly readItem: (id: number) => Promise<Item>;
}

/** Reads a reply whose list is too long for one turn of the event loop. */
interface ItemwiseRead<Input, Result> {
  /** The list's name in the reply. */
  readonly member: unknown extends Result ? string : keyof Result & string;
  /** Returns whether the list is too long, without reading it. */
  readonly isNeeded: (context: OperationContext, input: Input) => Promise<boolean>;
  readonly read: (context: OperationContext, input: Input) => Promise<ItemwiseReply<Result, unknown>>;
}

/** The query of a list, and the function that maps each row to its view. */
export interface Listing<View> {
  readonly query: Query<unknown>;
  readonly view: (row: unknown) => View;
}

/** Makes a listing from a query and a view of the same row type. */
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

/** Identifies the object that the first call created. Stored as JSON with the idempotency key. */
export type Reference = Readonly<Record<string, string | number>>;

export interface WriteResult<Result> {
  readonly result: Result;
  readonly reference: Reference;
  /** The start of the idempotency key's lifetime, in epoch milliseconds. @default now */
  readonly executedAt?: number;
}

/** Functions for a write that takes several transactions. */
export interface Slicing {
  /** Runs one transaction. `work` may run twice, and transactions of other requests may run in between. */
  readonly run: <T>(work: (context: OperationContext) => Promise<T>) => Promise<T>;
  /**
   * Call in the first transaction that writes, before writing. Returns the key to reserve until the last transaction.
   * Throws if the key is in use.
   */
  readonly claimKey: (context: OperationContext) => Promise<HeldKey | undefined>;
  /** Call in the last transaction, which makes the written rows visible. Stores the key. */
  readonly keepKey: (context: OperationContext, written: Omit<WriteResult<unknown>, "result">) => Promise<void>;
  /** Signals that the write was abandoned and its rows must be removed. */
  readonly notifyAbandoned: () => void;
}

interface Write<Input, Result> {
  readonly authorize: Authorize<Input>;
  readonly findFaults?: FindFaults;
  /** True if a success may leave work for the dispatcher. */
  readonly dispatches?: boolean;
  /** True if a success may schedule a job. */
  readonly schedules?: boolean;
  /** Checks and writes in one transaction. */
  readonly write: (context: OperationContext, input: Input) => Promise<WriteResult<Result>>;
  /** For writes too large for one transaction. Nothing is visible before the last transaction commits. */
  readonly inSlices?: {
    readonly isNeeded: (input: Input) => boolean;
    readonly write: (slicing: Slicing, input: Input) => Promise<WriteResult<Result>>;
  };
  /** True if the write may share a transaction with other writes: see `WritePriority` in store/store.ts. */
  readonly mayShare?: boolean;
  /** Returns the current state of the object that an earlier call with the same key created. */
  readonly replay: (context: OperationContext, reference: Reference) => Promise<Result>;
}

export type WriteOperation<K extends OperationId> = Write<OperationInput<K>, OperationResult<K>>;

/** Operations without an Idempotency-Key, which only read. */
type ReadId = { [K in OperationId]: (typeof operations)[K]["idempotent"] extends true ? never : K }[OperationId];

/** Operations whose reply is a list. */
type ListId = { [K in OperationId]: (typeof operations)[K]["responseIsArray"] extends true ? K : never }[OperationId];

/** One handler for each of `Id`. Operations that take an Idempotency-Key write; the others read or list. */
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
  /** An additional check, after that of the caller's role. */
  readonly authorize?: Authorize<AnyInput>;
}
export type AnyItemwiseRead = ItemwiseRead<AnyInput, unknown>;
export type AnyList = List<AnyInput, unknown>;
export type AnyWrite = Write<AnyInput, unknown>;
/** A handler without a transaction: another part of the server answers. */
export interface AnyAnswer {
  readonly answer: (caller: Caller, input: AnyInput) => Promise<unknown>;
}
/** A handler whose reply continues until the client disconnects or the server ends it. */
export interface AnyStream {
  readonly stream: (caller: Caller, input: AnyInput, events: EventSink) => void;
}
/** A handler that reads or sets cookies. */
interface SessionHandler {
  readonly visit: (visit: Visit, input: AnyInput, caller: Caller) => Promise<unknown>;
}
/** Cookies of a browser: `session`, and `device`, which proves that the user has signed in on it before. */
export type CookieName = "session" | "device";
/** The client that made a visit. */
export interface Origin {
  /** Client address in its normal form. */
  readonly address: string;
  readonly requestId: string;
  /** The address as log lines may show it; undefined if they must not. */
  readonly loggedAddress: string | undefined;
  /** Aborted once the client has disconnected. */
  readonly gone: AbortSignal;
}
/** A browser's request, with access to its cookies. */
export interface Visit {
  readonly from: Origin;
  /** Returns the value of a cookie; undefined if it is not set. */
  readCookie(name: CookieName): string | undefined;
  /** Sets a cookie for this many seconds; undefined removes it. */
  setCookie(name: CookieName, value: string | undefined, seconds?: number): void;
  /** Adds a Retry-After to the refusal. */
  retryAfter(seconds: number): void;
  /** Logs a refused sign-in. */
  noteRefusal(refusal: Refusal): void;
}
/** Sends the events of a stream to its client. */
export interface EventSink {
  /** Sends an event with its data as JSON. */
  send(event: string, data: unknown): void;
  /** Called once when the client has disconnected, or the server ended the stream. */
  onEnd(end: () => void): void;
  /** Ends the stream, and with it the reply. */
  end(): void;
}
export type AnyHandler = AnyRead | AnyList | AnyWrite | AnyAnswer | AnyStream | SessionHandler;
