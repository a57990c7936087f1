// What a simulation builds servers of, in place of the composition root: the same parts, with other ports.

export { type Carriers, carryBy, type LineKeeper, type Listen } from "./carriers/carriers.ts";
export type {
  PaymentFinding,
  PaymentNews,
  PaymentOrder,
  PaymentProcessor,
} from "./carriers/payment-processor.ts";
export {
  type FindOutcome,
  type MessageEvent,
  nameLateAnswer,
  type Provider,
  type ProviderEvent,
  type Submission,
  type SubmitCall,
  type SubmitOutcome,
} from "./carriers/provider.ts";
export type { SpeechEngine, SpeechFinding, SpeechOutcome } from "./carriers/speech/engine.ts";
export type { Poster, PostResult } from "./dispatch/callbacks/post.ts";
export { endOpenAcceptances } from "./dispatch/calls/removal.ts";
export { wakeWaitingCalls } from "./dispatch/calls/steps.ts";
export { enginesOf } from "./dispatch/calls/synthesizer.ts";
export { prunedTables } from "./dispatch/jobs/handlers.ts";
export { CANCELED_AT_ONCE, cancelQueued, listQueued } from "./dispatch/messages/operator-actions.ts";
export { createMemoryMark, type HandOverMark, restore } from "./dispatch/messages/restoration.ts";
export { createWorkers, type Workers } from "./dispatch/workers.ts";
export { defaultLargestUpgradeCents, defaultPrices } from "./domain/billing/rules.ts";
export { toSigningSecret } from "./domain/callbacks/rules.ts";
export { restoreCallbackSecret } from "./domain/callbacks/secrets.ts";
export { type CallOutcome, chargedMinutes, endOf } from "./domain/calls/rules.ts";
export {
  countCarrierChanges,
  discardWaiting,
  EVERY_TENANT,
  insertCarrier,
  listCarriers,
  removeCarrier,
} from "./domain/carriers/rows.ts";
export { recordConsent } from "./domain/consent/rows.ts";
export { decideConsent } from "./domain/consent/rules.ts";
export { createRecipientDigest } from "./domain/contacts.ts";
export type { Caller } from "./domain/context.ts";
export { upsertMerchant, upsertQuota } from "./domain/merchants/rows.ts";
export { findHandler } from "./domain/operations.ts";
export { Refusal } from "./domain/refusal.ts";
export { hashSecret, makeApiKey, makeApiSecret } from "./domain/tenancy/credentials.ts";
export { insertCredential } from "./domain/tenancy/rows.ts";
export { createTenant, endCredential } from "./domain/tenancy/tenants.ts";
export { canMove, canReach, type MessageStatus } from "./domain/transitions.ts";
export { createAuthenticator } from "./http/credentials/authentication.ts";
export { type Execute, executeRead, executeWrite } from "./http/execution/execution.ts";
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
export { checkInvariants } from "./store/invariants.ts";
export { listTables, migrate, migrations, newestVersion } from "./store/migrate.ts";
export { PostgresConnection, postgresDialect } from "./store/postgres/connection.ts";
export { migrateThrough } from "./store/postgres/migrations.ts";
export { createPooledStore } from "./store/postgres/pooled-store.ts";
export { beginPruned } from "./store/pruning.ts";
export { SqliteConnection } from "./store/sqlite/connection.ts";
export { GroupCommitWriter } from "./store/sqlite/group-commit.ts";
export type { Migration } from "./store/statement.ts";
export { CommitInDoubt, readRows, type Store, StoreUnavailable, type Transaction, type Work } from "./store/store.ts";
