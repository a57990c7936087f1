import type { Dialect } from "../dialect.ts";

/** Tenants with their keys, merchants, users, and what was decided by or about people. */
export function accountsTables({ text, int64, identity, tableOptions, keyedTableOptions }: Dialect): string[] {
  return [
    // rate_limit is written as 50:200; null stands for the server's own
    `CREATE TABLE tenants (
       tenant_id ${identity},
       name ${text} NOT NULL,
       timezone ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       mode ${text} NOT NULL DEFAULT 'live',
       disabled_at ${int64},
       disabled_reason ${text},
       disabled_by ${text},
       rate_limit ${text}
     ) ${tableOptions}`,

    `CREATE TABLE credentials (
       api_key ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text},
       created_at ${int64} NOT NULL,
       revoked_at ${int64},
       last_used_at ${int64},
       name ${text}
     ) ${keyedTableOptions}`,
    "CREATE INDEX credentials_by_tenant ON credentials (tenant_id, created_at)",

    // a key has more than one while a rotation overlaps
    `CREATE TABLE credential_secrets (
       api_key ${text} NOT NULL REFERENCES credentials,
       secret_hash ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       expires_at ${int64},
       PRIMARY KEY (api_key, secret_hash)
     ) ${keyedTableOptions}`,

    // sealed_secret opens with a key outside the database; a tenant has more than one while a rotation overlaps
    `CREATE TABLE callback_secrets (
       secret_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       sealed_secret ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       expires_at ${int64}
     ) ${tableOptions}`,
    "CREATE INDEX callback_secrets_by_tenant ON callback_secrets (tenant_id, secret_id)",

    `CREATE TABLE merchants (
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text} NOT NULL,
       display_name ${text} NOT NULL,
       active ${int64} NOT NULL,
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id)
     ) ${keyedTableOptions}`,

    `CREATE TABLE consents (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       contact ${text} NOT NULL,
       status ${text} NOT NULL,
       source ${text},
       updated_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, channel, contact),
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,

    // rows are only added: who changed what, when, and from where
    `CREATE TABLE consent_history (
       change_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       contact ${text} NOT NULL,
       status ${text} NOT NULL,
       source ${text},
       changed_by ${text} NOT NULL,
       changed_at ${int64} NOT NULL
     ) ${tableOptions}`,
    "CREATE INDEX consent_history_of_contact ON consent_history (tenant_id, contact, change_id)",

    // password_hash is null until the link was used; link_hash is of a secret that is shown once
    `CREATE TABLE users (
       user_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text},
       email ${text} NOT NULL UNIQUE,
       role ${text} NOT NULL,
       password_hash ${text},
       link_hash ${text} UNIQUE,
       link_expires_at ${int64},
       created_at ${int64} NOT NULL,
       signed_in_at ${int64},
       disabled_at ${int64}
     ) ${tableOptions}`,

    // refresh_hash is of the refresh token that the next rotation takes. previous_hash is of the one before, which for a time is
    // answered with the same successor
    `CREATE TABLE sessions (
       session_id ${text} PRIMARY KEY,
       user_id ${int64} NOT NULL REFERENCES users,
       refresh_hash ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       refreshed_at ${int64} NOT NULL,
       previous_hash ${text}
     ) ${keyedTableOptions}`,
    "CREATE INDEX sessions_by_user ON sessions (user_id, created_at)",
    "CREATE INDEX sessions_by_time ON sessions (refreshed_at)",

    // subject is a keyed digest of an address or an account
    `CREATE TABLE failed_sign_ins (
       subject ${text} NOT NULL,
       since ${int64} NOT NULL,
       failures ${int64} NOT NULL CHECK (failures > 0),
       PRIMARY KEY (subject)
     ) ${keyedTableOptions}`,
    "CREATE INDEX failed_sign_ins_by_time ON failed_sign_ins (since)",

    // subject is a keyed digest of a recipient; what is shown of them is masked
    `CREATE TABLE audit_entries (
       entry_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       user_id ${int64} NOT NULL,
       email ${text} NOT NULL,
       operation ${text} NOT NULL,
       request_id ${text} NOT NULL,
       target ${text},
       subject ${text},
       asked_at ${int64} NOT NULL
     ) ${tableOptions}`,
    "CREATE INDEX audit_entries_of_tenant ON audit_entries (tenant_id, entry_id)",
    "CREATE INDEX audit_entries_of_subject ON audit_entries (tenant_id, subject, entry_id) WHERE subject IS NOT NULL",
    "CREATE INDEX audit_entries_by_time ON audit_entries (asked_at)",

    // contact is null once the erasure has ended; a position, once all behind it was looked through
    `CREATE TABLE erasures (
       erasure_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text},
       contact ${text},
       digest ${text} NOT NULL,
       asked_at ${int64} NOT NULL,
       ended_at ${int64},
       erased ${int64} NOT NULL DEFAULT 0,
       messages_after ${text},
       calls_after ${int64}
     ) ${tableOptions}`,
    "CREATE INDEX erasures_of_digest ON erasures (tenant_id, digest)",

    // messages and calls that had not ended when the erasure came past
    `CREATE TABLE open_erasures (
       erasure_id ${int64} NOT NULL REFERENCES erasures,
       message_id ${text} NOT NULL,
       PRIMARY KEY (erasure_id, message_id)
     ) ${keyedTableOptions}`,

    `CREATE TABLE erased_opt_outs (
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       digest ${text} NOT NULL,
       opted_out_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, channel, digest)
     ) ${keyedTableOptions}`,
    "CREATE INDEX erased_opt_outs_of_digest ON erased_opt_outs (tenant_id, digest)",

    // indexes of searches read here what to forget
    `CREATE TABLE erased_messages (
       erased_at ${int64} NOT NULL,
       message_id ${text} NOT NULL,
       PRIMARY KEY (erased_at, message_id)
     ) ${keyedTableOptions}`,

    `CREATE TABLE project_labels (
       label_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       project ${text} NOT NULL,
       labelled_at ${int64} NOT NULL,
       message_id ${text} UNIQUE,
       batch_id ${int64} UNIQUE
     ) ${tableOptions}`,
    "CREATE INDEX project_labels_seen ON project_labels (tenant_id, project, labelled_at)",
  ];
}
