import type { Migration } from "../dialect.ts";

/** Callbacks on their way to the tenants' receivers, and the secrets that they are signed with. */
export const callbacks: Migration = {
  version: 4,
  name: "callbacks",
  statements: ({ int64, identity, tableOptions, keyedTableOptions }) => [
    // next_attempt_at is when a PENDING one must be looked at next: to send it, or to take over an expired lease
    `CREATE TABLE callbacks (
       callback_id ${identity},
       webhook_id TEXT NOT NULL,
       tenant_id ${int64} NOT NULL,
       url TEXT NOT NULL,
       host TEXT NOT NULL,
       type TEXT NOT NULL,
       body TEXT NOT NULL,
       status TEXT NOT NULL,
       attempts INTEGER NOT NULL,
       next_attempt_at ${int64},
       lease_token TEXT,
       last_outcome TEXT,
       updated_at ${int64} NOT NULL
     ) ${tableOptions}`,
    "CREATE INDEX callbacks_due ON callbacks (host, next_attempt_at) WHERE status = 'PENDING'",
    "CREATE INDEX callbacks_leased ON callbacks (host) WHERE lease_token IS NOT NULL",
    "CREATE INDEX callbacks_over ON callbacks (updated_at) WHERE next_attempt_at IS NULL",

    // a queue for each receiver: one with a backlog never blocks the others
    `CREATE TABLE callback_hosts (
       host TEXT PRIMARY KEY,
       due_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,
    "CREATE INDEX callback_hosts_due ON callback_hosts (due_at)",

    // sealed with a key that is not in the database; more than one while a rotation overlaps
    `CREATE TABLE callback_secrets (
       secret_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       sealed_secret TEXT NOT NULL,
       created_at ${int64} NOT NULL,
       expires_at ${int64}
     ) ${tableOptions}`,
    "CREATE INDEX callback_secrets_by_tenant ON callback_secrets (tenant_id, secret_id)",
  ],
};
