import type { Migration } from "../dialect.ts";

/** Those who sign in to the dashboard, their sessions, failed attempts at both, and what was asked for there. */
export const users: Migration = {
  version: 28,
  name: "users",
  statements: ({ text, int64, identity, tableOptions, keyedTableOptions }) => [
    // without a password until its link was used; a link's hash is of a secret that is shown once
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

    // the hash is of the one refresh token that is good for the next rotation
    `CREATE TABLE sessions (
       session_id ${text} PRIMARY KEY,
       user_id ${int64} NOT NULL REFERENCES users,
       refresh_hash ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       refreshed_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,
    "CREATE INDEX sessions_by_user ON sessions (user_id, created_at)",
    "CREATE INDEX sessions_by_time ON sessions (refreshed_at)",

    // subject is a keyed digest of an address or an account
    `CREATE TABLE failed_sign_ins (
       subject ${text} NOT NULL,
       since ${int64} NOT NULL,
       failures INTEGER NOT NULL CHECK (failures > 0),
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
  ],
};
