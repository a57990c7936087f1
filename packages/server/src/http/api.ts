// An API as the loader reads it: everything about its operations that is data.

import { type ApiOperationEntry, type OperationId, operations } from "@msgctl/contract";
import { parameterSchemas, schemas } from "@msgctl/contract/schemas";

export interface Api<Id extends string = string> {
  readonly operations: Readonly<Record<Id, ApiOperationEntry>>;
  /** Schemas by name: its own, and those that they refer to. */
  readonly schemas: Readonly<Record<string, object>>;
  readonly parameterSchemas: Readonly<Record<Id, ParameterSchemas>>;
}

/** The path and query values of an operation as object schemas; neither where any value is taken. */
export interface ParameterSchemas {
  readonly path?: object;
  readonly query?: object;
}

export const contractApi: Api<OperationId> = { operations, schemas, parameterSchemas };
