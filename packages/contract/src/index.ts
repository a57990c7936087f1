import type { problems } from "./generated/errors.ts";

export { problems } from "./generated/errors.ts";
export { operations } from "./generated/operations.ts";
export type { components, paths } from "./generated/types.ts";
export type { ApiOperationEntry, OperationEntry } from "./operation-entry.ts";
export type {
  BodyIn,
  BodyOf,
  ErrorCodeOf,
  OperationId,
  PathIn,
  PathOf,
  Problem,
  QueryIn,
  QueryOf,
  ResponseIn,
  ResponseOf,
  Schemas,
} from "./operation-types.ts";
export type { ProblemEntry } from "./problem-entry.ts";
export type { EventOf, EventType } from "./webhook-types.ts";

/** Every problem code of the contract. Clients must expect one they do not know: see `Problem.code`. */
export type ProblemCode = keyof typeof problems;
