export {
  type ApiCall,
  type CallMeta,
  endedCall,
  type Failure,
  type FailureMeta,
  type Outcome,
  type ResponseMeta,
  type Success,
} from "./api-call.ts";
export type { BulkOptions, BulkOutcome, BulkRun } from "./bulk/bulk-run.ts";
export { BulkConsentResource, type RecordManyOptions } from "./bulk/record-many.ts";
export { canonicalBody, rowId, rowText } from "./bulk/row-identity.ts";
export type { RowKey } from "./bulk/row-keys.ts";
export type { Rows } from "./bulk/run-bounded.ts";
export { BulkSendResource, type SendManyOptions, type SendRows } from "./bulk/send-many.ts";
export { MessagingClient } from "./client.ts";
export { CoreClient, type RequestArgs } from "./core-client.ts";
export * from "./errors.ts";
export type { Exact, ReplyData } from "./exact-integers.ts";
export * from "./generated/resources.ts";
export * from "./generated/types.ts";
export type { ErrorEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent, WatchedCall } from "./hooks.ts";
export { parseJson, stringifyJson } from "./int64.ts";
export type { Logger, LogLevel } from "./log.ts";
export type { CallOptions, ClientOptions, Fetch, FetchInit, WriteOptions } from "./options.ts";
export type { Identity } from "./outgoing-request.ts";
export type { PathValue } from "./path-values.ts";
export type { RawClient } from "./raw-client.ts";
export { type WaitForBatchOptions, WaitingTtsResource } from "./wait/wait-for-batch.ts";
