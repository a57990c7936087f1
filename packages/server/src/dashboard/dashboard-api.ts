// The dashboard's own API as the loader reads it, and the form of its handlers.

import { schemas as contractSchemas } from "@msgctl/contract/schemas";
import {
  type BodyOf,
  type OperationId,
  operations,
  type PathOf,
  type QueryOf,
  type ResponseOf,
} from "@msgctl/dashboard/api";
import { parameterSchemas, schemas } from "@msgctl/dashboard/api/schemas";
import type { Api } from "../http/api.ts";
import type { Caller, EventSink, OperationContext } from "../steps/operation.ts";

export type { OperationId } from "@msgctl/dashboard/api";

export const ownSchemas: Readonly<Record<string, object>> = schemas;

export const dashboardApi: Api<OperationId> = {
  operations,
  parameterSchemas,
  schemas: { ...contractSchemas, ...schemas },
};

export interface Input<K extends OperationId> {
  readonly path: PathOf<K>;
  readonly query: QueryOf<K>;
  readonly body: BodyOf<K>;
}

/** Reads in one transaction. */
export interface Read<K extends OperationId> {
  readonly authorize: (caller: Caller, input: Input<K>) => void;
  readonly read: (context: OperationContext, input: Input<K>) => Promise<ResponseOf<K>>;
}

/** Asks another part of the server. */
export interface Answer<K extends OperationId> {
  readonly authorize: (caller: Caller, input: Input<K>) => void;
  readonly answer: (caller: Caller, input: Input<K>) => Promise<ResponseOf<K>>;
}

/** Sends events. */
export interface Stream<K extends OperationId> {
  readonly authorize: (caller: Caller, input: Input<K>) => void;
  readonly stream: (caller: Caller, input: Input<K>, events: EventSink) => void;
}

/** A handler for each operation of `Id`. */
export type DashboardHandlers<Id extends OperationId = OperationId> = {
  readonly [K in Id]: Read<K> | Answer<K> | Stream<K>;
};

/** What every user of a tenant may ask. */
export const anyone = (): void => {};
