// What an operation is to the server: a typed handler, keyed by the contract's operationId.

import type { BodyOf, OperationId, operations, PathOf, QueryOf, ResponseOf } from "@msgctl/contract";
import type { CallbackReach } from "../rules/callback-url.ts";
import type { ConsentPolicy } from "../rules/consent.ts";
import type { PriceList } from "../rules/prices.ts";
import type { FieldFault } from "../rules/refusal.ts";
import type { HeldKey } from "../store/call-acceptances.ts";
import type { Query, Transaction } from "../store/store.ts";

/** Who calls: a tenant, or one merchant of it. */
export interface Caller {
  readonly apiKey: string;
  readonly tenantId: number;
  /** IANA name; months begin in it. */
  readonly timezone: string;
  /** The only merchant the credential may act for, or null. */
  readonly merchantId: string | null;
}

export type DirectoryCredential = "a1-hash" | "password";

/** What the operator decides, and what tests inject. */
export interface OperationSettings {
  readonly consentPolicy: ConsentPolicy;
  readonly callbackReach: CallbackReach;
  readonly prices: PriceList;
  /** The most that one upgrade may cost, in cents. */
  readonly largestUpgradeCents: number;
  /** Makes a new id, such as `msg_01J…`, that sorts by time. */
  readonly newId: (prefix: "msg" | "pay", now: number) => string;
  /** What the FreeSWITCH directory has of a user's password: its digest, or for realms that need it, itself. */
  readonly directoryCredential: DirectoryCredential;
  /** Opens a sealed secret that is bound to `binding`. Throws without the right key. */
  readonly openSecret: (sealed: string, binding: string) => string;
}

export interface OperationContext {
  readonly tx: Transaction;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: OperationSettings;
}

/** The SDK may read and write an int64 as bigint; msgd takes and gives only what a double holds exactly. */
export type Exact<T> = T extends bigint ? never : T extends string ? T : { [K in keyof T]: Exact<T[K]> };

export interface OperationInput<K extends OperationId> {
  readonly path: Exact<PathOf<K>>;
  readonly query: Exact<QueryOf<K>>;
  readonly body: Exact<BodyOf<K>>;
}

export type OperationResult<K extends OperationId> = Exact<ResponseOf<K>>;

/** Whether the caller's credential may do this at all; throws `merchant_scope_denied`. Comes before any look-up. */
export type Authorize<K extends OperationId> = (caller: Caller, input: OperationInput<K>) => void;

/**
 * Faults that no schema tells, reported beside those that the schema finds: the input may be anything.
 * One of a place where the schema found a fault is dropped.
 */
export type FindFaults = (input: AnyInput, settings: OperationSettings) => readonly FieldFault[];

export interface ReadOperation<K extends OperationId> {
  readonly authorize: Authorize<K>;
  readonly read: (context: OperationContext, input: OperationInput<K>) => Promise<OperationResult<K>>;
  readonly inParts?: PartedRead<K>;
}

/** A reply without the items of its long list, and what reads each of these. */
export interface Parts<Result, Item> {
  readonly frame: Result;
  /** Of the items, in their order. */
  readonly ids: readonly number[];
  /** Called for one after the other, each in a turn of the event loop of its own, on the rows of the same moment. */
  readonly readItem: (id: number) => Promise<Item>;
}

/** How an operation reads what would take too long in one turn, because one list of its reply is long. */
export interface PartedRead<K extends OperationId> {
  /** The list's name in the reply. */
  readonly member: keyof OperationResult<K> & string;
  /** Checks, and reads nothing that is long. */
  readonly isNeeded: (context: OperationContext, input: OperationInput<K>) => Promise<boolean>;
  readonly read: (context: OperationContext, input: OperationInput<K>) => Promise<Parts<OperationResult<K>, unknown>>;
}

/** What a list is read with, and how each of its rows is shown. */
export interface Listing<View> {
  readonly query: Query<unknown>;
  readonly view: (row: unknown) => View;
}

/** Ties a query to the view of its rows. */
export function toListing<Row, View>(query: Query<Row>, view: (row: Row) => View): Listing<View> {
  return { query, view: view as Listing<View>["view"] };
}

/** Its reply is a list of any length, which is read and sent page by page. */
export interface ListOperation<K extends OperationId> {
  readonly authorize: Authorize<K>;
  /** Checks, then says what to read. */
  readonly list: (context: OperationContext, input: OperationInput<K>) => Promise<Listing<ItemOf<OperationResult<K>>>>;
}

type ItemOf<Result> = Result extends readonly (infer Item)[] ? Item : never;

/** Whatever an operation needs to find again what its first call made; kept as JSON beside the idempotency key. */
export type Reference = Readonly<Record<string, string | number>>;

export interface WriteResult<Result> {
  readonly result: Result;
  readonly reference: Reference;
  /** From when on the idempotency key's time runs, in epoch milliseconds. @default now */
  readonly executedAt?: number;
}

/** What a write of several units of work is given to work with. */
export interface Slicing {
  /** Runs one unit of work: it may be run twice, and others' come between this one and the next. */
  readonly run: <T>(unit: (context: OperationContext) => Promise<T>) => Promise<T>;
  /** Asked in the first unit that writes, before it does: the key to hold meanwhile. Throws where it is in use. */
  readonly claimKey: (context: OperationContext) => Promise<HeldKey | undefined>;
  /** Called in the last unit, the one that shows what was written: keeps the key beside it. */
  readonly keepKey: (context: OperationContext, written: Omit<WriteResult<unknown>, "result">) => Promise<void>;
  /** Says that what was begun will not be finished, and is to be removed. */
  readonly notifyAbandoned: () => void;
}

/** How an operation writes what would take too long in one unit of work. Nothing of it shows before its last unit. */
export interface SlicedWrite<K extends OperationId> {
  readonly isNeeded: (input: OperationInput<K>) => boolean;
  readonly write: (slicing: Slicing, input: OperationInput<K>) => Promise<WriteResult<OperationResult<K>>>;
}

export interface WriteOperation<K extends OperationId> {
  readonly authorize: Authorize<K>;
  readonly findFaults?: FindFaults;
  /** True where a success may leave work for the dispatcher. */
  readonly dispatches?: boolean;
  /** True where a success may schedule a job. */
  readonly schedules?: boolean;
  /** Checks, then writes, all in one unit of work. */
  readonly write: (context: OperationContext, input: OperationInput<K>) => Promise<WriteResult<OperationResult<K>>>;
  readonly inSlices?: SlicedWrite<K>;
  /** The current state of what an earlier call with the same key made. */
  readonly replay: (context: OperationContext, reference: Reference) => Promise<OperationResult<K>>;
}

/** Operations that take no Idempotency-Key: they only read. */
type ReadId = { [K in OperationId]: (typeof operations)[K]["idempotent"] extends true ? never : K }[OperationId];

/** Operations whose reply is a list. */
type ListId = { [K in OperationId]: (typeof operations)[K]["responseIsArray"] extends true ? K : never }[OperationId];

/** One handler for each of `Id`: reading operations read or list, those that take an Idempotency-Key write. */
export type Handlers<Id extends OperationId = OperationId> = {
  readonly [K in Id]: K extends ListId ? ListOperation<K> : K extends ReadId ? ReadOperation<K> : WriteOperation<K>;
};

/** A handler whose types are erased: requests reach it only after they were held against the contract. */
export type AnyInput = { readonly path: unknown; readonly query: unknown; readonly body: unknown };
export interface AnyRead {
  readonly authorize: (caller: Caller, input: AnyInput) => void;
  readonly read: (context: OperationContext, input: AnyInput) => Promise<unknown>;
  readonly inParts?: AnyPartedRead;
}
export interface AnyPartedRead {
  readonly member: string;
  readonly isNeeded: (context: OperationContext, input: AnyInput) => Promise<boolean>;
  readonly read: (context: OperationContext, input: AnyInput) => Promise<Parts<unknown, unknown>>;
}
export interface AnyList {
  readonly authorize: (caller: Caller, input: AnyInput) => void;
  readonly list: (context: OperationContext, input: AnyInput) => Promise<Listing<unknown>>;
}
export interface AnyWrite {
  readonly authorize: (caller: Caller, input: AnyInput) => void;
  readonly findFaults?: FindFaults;
  readonly dispatches?: boolean;
  readonly schedules?: boolean;
  readonly write: (context: OperationContext, input: AnyInput) => Promise<WriteResult<unknown>>;
  readonly inSlices?: {
    readonly isNeeded: (input: AnyInput) => boolean;
    readonly write: (slicing: Slicing, input: AnyInput) => Promise<WriteResult<unknown>>;
  };
  readonly replay: (context: OperationContext, reference: Reference) => Promise<unknown>;
}
export type AnyHandler = AnyRead | AnyList | AnyWrite;
