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
import type { Role } from "../rules/roles.ts";
import type { Caller, EventSink, OperationContext, Visit as Visitor } from "../steps/operation.ts";

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

/** A user of a tenant, or whoever is on the machine of a server in development. */
export interface DashboardCaller extends Caller {
  /** Null in development. */
  readonly userId: number | null;
  /** Null in development. */
  readonly email: string | null;
  readonly role: Role;
  /** Null in development. */
  readonly sessionId: string | null;
}

/** Reads in one transaction. */
export interface Read<K extends OperationId> {
  readonly read: (
    context: OperationContext & { readonly caller: DashboardCaller },
    input: Input<K>,
  ) => Promise<ResponseOf<K>>;
}

/** Asks another part of the server. */
export interface Answer<K extends OperationId> {
  readonly answer: (caller: DashboardCaller, input: Input<K>) => Promise<ResponseOf<K>>;
}

/** Sends events. */
export interface Stream<K extends OperationId> {
  readonly stream: (caller: DashboardCaller, input: Input<K>, events: EventSink) => void;
}

/** Is of somebody who is not signed in, or no more. */
export interface Visit<K extends OperationId> {
  readonly visit: (visit: Visitor, input: Input<K>) => Promise<ResponseOf<K>>;
}

/** A handler for each operation of `Id`. */
export type DashboardHandlers<Id extends OperationId = OperationId> = {
  readonly [K in Id]: Read<K> | Answer<K> | Stream<K> | Visit<K>;
};
