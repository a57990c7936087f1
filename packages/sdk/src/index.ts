export type { ApiCall, CallMeta, Failure, FailureMeta, Outcome, ResponseMeta, Success } from "./api-call.ts";
export { MessagingClient } from "./client.ts";
export { CoreClient, type RawClient, type RequestArgs } from "./core-client.ts";
export * from "./errors.ts";
export * from "./generated/resources.ts";
export type * from "./generated/types.ts";
export type { CallOptions, ClientOptions, Fetch, FetchInit, WriteOptions } from "./options.ts";
export type { PathValue } from "./path-values.ts";
