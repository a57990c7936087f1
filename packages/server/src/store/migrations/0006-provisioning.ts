import type { Migration } from "../dialect.ts";

/** What an operator imports for a tenant's phones: hosts, SIP users, ring groups, and lists stored as given. */
export const provisioning: Migration = {
  version: 6,
  name: "provisioning",
  statements: ({ int64, tableOptions, keyedTableOptions }) => [
    // phone_numbers, ring_groups (without members) and menus are JSON lists, in the order of the import
    `CREATE TABLE voice_provisioning (
       tenant_id ${int64} PRIMARY KEY REFERENCES tenants,
       sip_host TEXT,
       sip_domain TEXT,
       wss_url TEXT,
       udp_port INTEGER,
       tls_port INTEGER,
       ws_port INTEGER,
       phone_numbers TEXT NOT NULL,
       ring_groups TEXT NOT NULL,
       menus TEXT NOT NULL,
       imported_at ${int64} NOT NULL
     ) ${tableOptions}`,

    // sealed_password is null for a user who has none
    `CREATE TABLE sip_users (
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       user_id ${int64} NOT NULL,
       position INTEGER NOT NULL,
       email TEXT NOT NULL,
       extension TEXT NOT NULL,
       sip_username TEXT NOT NULL,
       sealed_password TEXT,
       agent_status TEXT NOT NULL,
       voice_enabled INTEGER NOT NULL,
       browser_enabled INTEGER NOT NULL,
       forward_number TEXT,
       PRIMARY KEY (tenant_id, user_id),
       UNIQUE (tenant_id, sip_username),
       UNIQUE (tenant_id, extension)
     ) ${keyedTableOptions}`,

    `CREATE TABLE ring_group_members (
       tenant_id ${int64} NOT NULL,
       user_id ${int64} NOT NULL,
       ring_group_id ${int64} NOT NULL,
       position INTEGER NOT NULL,
       email TEXT NOT NULL,
       priority INTEGER NOT NULL,
       enabled INTEGER NOT NULL,
       agent_status TEXT NOT NULL,
       forward_number TEXT,
       browser_enabled INTEGER NOT NULL,
       browser_client_identity TEXT,
       browser_active INTEGER NOT NULL,
       PRIMARY KEY (tenant_id, user_id, ring_group_id),
       FOREIGN KEY (tenant_id, user_id) REFERENCES sip_users
     ) ${keyedTableOptions}`,
  ],
};
