import type { Migration } from "../dialect.ts";

/** Tenants and their credentials, merchants, consent, messages with their outbox, idempotency, alerts. */
export const firstTables: Migration = {
  version: 1,
  name: "first-tables",
  statements: ({ int64, identity, tableOptions, keyedTableOptions }) => [
    `CREATE TABLE tenants (
       tenant_id ${identity},
       name TEXT NOT NULL,
       timezone TEXT NOT NULL,
       created_at ${int64} NOT NULL
     ) ${tableOptions}`,

    `CREATE TABLE credentials (
       api_key TEXT PRIMARY KEY,
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id TEXT,
       created_at ${int64} NOT NULL,
       revoked_at ${int64}
     ) ${keyedTableOptions}`,

    // more than one while a rotation overlaps
    `CREATE TABLE credential_secrets (
       api_key TEXT NOT NULL REFERENCES credentials,
       secret_hash TEXT NOT NULL,
       created_at ${int64} NOT NULL,
       expires_at ${int64},
       PRIMARY KEY (api_key, secret_hash)
     ) ${keyedTableOptions}`,

    `CREATE TABLE merchants (
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id TEXT NOT NULL,
       display_name TEXT NOT NULL,
       active INTEGER NOT NULL,
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id)
     ) ${keyedTableOptions}`,

    `CREATE TABLE quotas (
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       monthly_limit ${int64} NOT NULL CHECK (monthly_limit >= 0),
       credits ${int64} NOT NULL CHECK (credits >= 0),
       PRIMARY KEY (tenant_id, merchant_id, channel),
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,

    // period is the first day of the month in the tenant's time zone; credit_units of used and reserved were paid by
    // the credits
    `CREATE TABLE usage (
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       period TEXT NOT NULL,
       used ${int64} NOT NULL CHECK (used >= 0),
       reserved ${int64} NOT NULL CHECK (reserved >= 0),
       credit_units ${int64} NOT NULL DEFAULT 0 CHECK (credit_units >= 0),
       PRIMARY KEY (tenant_id, merchant_id, channel, period)
     ) ${keyedTableOptions}`,

    `CREATE TABLE consents (
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       contact TEXT NOT NULL,
       status TEXT NOT NULL,
       source TEXT,
       updated_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, channel, contact),
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,

    // append-only: who changed what, when, and from where
    `CREATE TABLE consent_history (
       change_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       contact TEXT NOT NULL,
       status TEXT NOT NULL,
       source TEXT,
       changed_by TEXT NOT NULL,
       changed_at ${int64} NOT NULL
     ) ${tableOptions}`,

    // purpose tells a paid SEND from the CONFIRMATION of a reply, which is free and needs no consent; queue_order has
    // the lowest go first, and is null while the message is held back
    `CREATE TABLE messages (
       message_id TEXT PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       type TEXT NOT NULL,
       purpose TEXT NOT NULL,
       recipient TEXT NOT NULL,
       status TEXT NOT NULL,
       queue_order INTEGER,
       delivery_reason TEXT,
       units ${int64} NOT NULL,
       credit_units ${int64} NOT NULL,
       period TEXT NOT NULL,
       charge TEXT NOT NULL,
       provider_cost_micros ${int64},
       markup_micros ${int64},
       attempts INTEGER NOT NULL,
       provider TEXT,
       provider_message_id TEXT,
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       subject TEXT,
       content TEXT NOT NULL
     ) ${keyedTableOptions}`,

    // the outbox: accepted messages that are not claimed yet
    `CREATE INDEX messages_queued ON messages (queue_order, message_id)
      WHERE status = 'QUEUED' AND queue_order IS NOT NULL`,

    // due_at is when the row must be looked at next: to take over an expired lease, to submit it again,
    // to ask the provider again, or to give up
    `CREATE TABLE dispatches (
       message_id TEXT PRIMARY KEY,
       state TEXT NOT NULL,
       due_at ${int64} NOT NULL,
       give_up_at ${int64} NOT NULL,
       lease_token TEXT,
       asks INTEGER NOT NULL,
       tenant_id ${int64} NOT NULL,
       accepted_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,
    "CREATE INDEX dispatches_due ON dispatches (due_at)",
    "CREATE INDEX dispatches_tenant ON dispatches (tenant_id, accepted_at)",
    // what an operator watches; a row enters either only when something went wrong
    "CREATE INDEX dispatches_in_doubt ON dispatches (state) WHERE state = 'reconciling'",
    "CREATE INDEX messages_unknown ON messages (status) WHERE status = 'UNKNOWN'",

    // replies and opt-outs that a provider reported: each may be reported twice and must count once
    `CREATE TABLE provider_events (
       provider TEXT NOT NULL,
       event_id TEXT NOT NULL,
       received_at ${int64} NOT NULL,
       PRIMARY KEY (provider, event_id)
     ) ${keyedTableOptions}`,

    // recent has a digit for each of the last answers, oldest first: 1 for a failure by the provider's own fault
    `CREATE TABLE provider_health (
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       provider TEXT NOT NULL,
       recent TEXT NOT NULL,
       is_failing INTEGER NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, channel, provider)
     ) ${keyedTableOptions}`,

    // reference is JSON that says what the first call made, enough to read its current state
    `CREATE TABLE idempotency (
       tenant_id ${int64} NOT NULL,
       operation TEXT NOT NULL,
       idempotency_key TEXT NOT NULL,
       fingerprint TEXT NOT NULL,
       reference TEXT NOT NULL,
       expires_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, operation, idempotency_key)
     ) ${keyedTableOptions}`,

    // occurrence names what the alert is raised once for: for a usage threshold, `period:percent`; for a failing provider, the message that it failed last
    `CREATE TABLE alerts (
       alert_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       channel TEXT NOT NULL,
       alert_type TEXT NOT NULL,
       severity TEXT NOT NULL,
       message TEXT NOT NULL,
       threshold_percent INTEGER,
       occurrence TEXT NOT NULL,
       created_at ${int64} NOT NULL,
       UNIQUE (tenant_id, merchant_id, channel, alert_type, occurrence)
     ) ${tableOptions}`,
  ],
};
