// What a simulation builds servers of, in place of the composition root: the same parts, with other ports.

export type { Poster, PostResult } from "./dispatch/callbacks/post.ts";
export type { SpeechEngine, SpeechFinding, SpeechOutcome } from "./dispatch/calls/engine.ts";
export { endOpenAcceptances } from "./dispatch/calls/removal.ts";
export { wakeWaitingCalls } from "./dispatch/calls/steps.ts";
export { enginesOf } from "./dispatch/calls/synthesizer.ts";
export { type Carriers, carryBy, type LineKeeper, type Listen } from "./dispatch/carriers/carriers.ts";
export { prunedTables } from "./dispatch/jobs/handlers.ts";
export { CANCELED_AT_ONCE, cancelQueued, listQueued } from "./dispatch/messages/operator-actions.ts";
export { createMemoryMark, type HandOverMark, restore } from "./dispatch/messages/restoration.ts";
export type {
  PaymentFinding,
  PaymentNews,
  PaymentOrder,
  PaymentProcessor,
} from "./dispatch/providers/payment-processor.ts";
export {
  type FindOutcome,
  type MessageEvent,
  nameLateAnswer,
  type Provider,
  type ProviderEvent,
  type Submission,
  type SubmitCall,
  type SubmitOutcome,
} from "./dispatch/providers/provider.ts";
export { createWorkers, type Workers } from "./dispatch/workers.ts";
export { createAuthenticator } from "./http/credentials/authentication.ts";
export { type Execute, executeRead, executeWrite } from "./http/execution/execution.ts";
export { findHandler } from "./operations/index.ts";
export { type Clock, LONGEST_LOOK_AWAY_MS, nextTick, nextTurn } from "./platform/clock.ts";
export { createIds } from "./platform/ids.ts";
export type { Logger } from "./platform/logging.ts";
export type { SessionPool } from "./platform/postgres/connections.ts";
export type { Answer } from "./platform/postgres/exchange.ts";
export { PassedOver } from "./platform/postgres/failures.ts";
export {
  ANSWER_MS,
  BRIEF_LOCK_MS,
  IDLE_IN_TRANSACTION_MS,
  LOCK_MS,
  LONGEST_ANSWER_MS,
  stayIdleStatement,
  WAIT_MS,
  waitBrieflyStatement,
} from "./platform/postgres/limits.ts";
export type { SessionPort } from "./platform/postgres/sessions.ts";
export { type Observer, observe, type Probe, probes, type Site, sites } from "./platform/probes.ts";
export type { Randomness } from "./platform/randomness.ts";
export { createSecretBox } from "./platform/secret-box.ts";
export { defaultLargestUpgradeCents, defaultPrices } from "./rules/billing.ts";
export { toSigningSecret } from "./rules/callbacks.ts";
export { type CallOutcome, chargedMinutes, endOf } from "./rules/calls.ts";
export { decideConsent } from "./rules/consent.ts";
export { createRecipientDigest } from "./rules/contacts.ts";
export { hashSecret, makeApiKey, makeApiSecret } from "./rules/credentials.ts";
export { Refusal } from "./rules/refusal.ts";
export { canMove, canReach, type MessageStatus } from "./rules/transitions.ts";
export { restoreCallbackSecret } from "./steps/callback-secrets.ts";
export type { Caller } from "./steps/context.ts";
export { createTenant, endCredential } from "./steps/tenancy.ts";
export {
  countCarrierChanges,
  discardWaiting,
  EVERY_TENANT,
  insertCarrier,
  listCarriers,
  removeCarrier,
} from "./store/carriers.ts";
export { recordConsent } from "./store/consents.ts";
export { checkInvariants } from "./store/invariants.ts";
export { upsertMerchant, upsertQuota } from "./store/merchants.ts";
export { listTables, migrate, migrations, newestVersion } from "./store/migrate.ts";
export { PostgresConnection, postgresDialect } from "./store/postgres/connection.ts";
export { migrateThrough } from "./store/postgres/migrations.ts";
export { createPooledStore } from "./store/postgres/pooled-store.ts";
export { beginPruned } from "./store/pruning.ts";
export { SqliteConnection } from "./store/sqlite/connection.ts";
export { GroupCommitWriter } from "./store/sqlite/group-commit.ts";
export type { Migration } from "./store/statement.ts";
export { CommitInDoubt, readRows, type Store, StoreUnavailable, type Transaction, type Work } from "./store/store.ts";
export { insertCredential } from "./store/tenancy.ts";
