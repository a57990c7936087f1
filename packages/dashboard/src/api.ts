export { operations } from "./generated/operations.ts";
export type { BodyOf, OperationId, PathOf, QueryOf, ResponseOf, Views } from "./operation-types.ts";
