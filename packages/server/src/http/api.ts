// The description of an API from which its routes are created.

import { type ApiOperationEntry, type OperationId, operations } from "@msgctl/contract";
import { parameterSchemas, schemas } from "@msgctl/contract/schemas";

export interface Api<Id extends string = string> {
  readonly operations: Readonly<Record<Id, ApiOperationEntry>>;
  /** Schemas by name: the API's own, and all schemas that they reference. */
  readonly schemas: Readonly<Record<string, object>>;
  /** Object schemas of an operation's path and query; absent where any value is accepted. */
  readonly parameterSchemas: Readonly<Record<Id, { readonly path?: object; readonly query?: object }>>;
}

export const contractApi: Api<OperationId> = { operations, schemas, parameterSchemas };
