// Tables of tenants, their users and merchants, and of registrations.

import type { Dialect } from "../statement.ts";

/** Tenants with their keys, merchants, users, and decisions by or about people. */
export function accountsTables({ text, int64, identity, tableOptions, keyedTableOptions }: Dialect): string[] {
  return [
    // rate_limit is written as 50:200; null means the server's default. second_factor is optional or required. text_hours is
    // written as 08:00-20:00, or 08:00-20:00 +1; null means that marketing texts are sent at any time
    `CREATE TABLE tenants (
       tenant_id ${identity},
       name ${text} NOT NULL,
       timezone ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       mode ${text} NOT NULL DEFAULT 'live',
       disabled_at ${int64},
       disabled_reason ${text},
       disabled_by ${text},
       rate_limit ${text},
       second_factor ${text} NOT NULL DEFAULT 'optional',
       text_hours ${text}
     ) ${tableOptions}`,

    `CREATE TABLE credentials (
       api_key ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text},
       created_at ${int64} NOT NULL,
       revoked_at ${int64},
       last_used_at ${int64},
       name ${text},
       created_by ${int64}
     ) ${keyedTableOptions}`,
    "CREATE INDEX credentials_by_tenant ON credentials (tenant_id, created_at)",

    // during a rotation a key has more than one secret
    `CREATE TABLE credential_secrets (
       api_key ${text} NOT NULL REFERENCES credentials,
       secret_hash ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       expires_at ${int64},
       PRIMARY KEY (api_key, secret_hash)
     ) ${keyedTableOptions}`,

    // the key that opens sealed_secret is outside the database; during a rotation a tenant has more than one secret
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

    // append-only: who changed what, when, and from where
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

    // operators have tenant 0. password_hash is null until the link is used; link_hash is the hash of the link's secret,
    // which is shown once
    `CREATE TABLE users (
       user_id ${identity},
       tenant_id ${int64} NOT NULL,
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

    // confirmed_at is null until the user has entered a first code; last_step is the step of the last accepted code
    `CREATE TABLE second_factors (
       user_id ${int64} PRIMARY KEY REFERENCES users,
       sealed_secret ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       confirmed_at ${int64},
       last_step ${int64}
     ) ${tableOptions}`,

    // the codes that are left: a code is deleted when it is used
    `CREATE TABLE recovery_codes (
       user_id ${int64} NOT NULL REFERENCES users,
       code_hash ${text} NOT NULL,
       PRIMARY KEY (user_id, code_hash)
     ) ${keyedTableOptions}`,

    // refresh_hash is the hash of the current refresh token. previous_hash is that of the token before; for a short
    // time a refresh with that token returns the same successor
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

    // subject is a keyed digest of a recipient; only masked recipients are shown
    `CREATE TABLE audit_entries (
       entry_id ${identity},
       tenant_id ${int64} NOT NULL,
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

    // contact becomes null when the erasure has ended; messages_after and calls_after are the last ids examined, and become
    // null when all have been examined
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

    // messages and calls that had not ended when the erasure reached them
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

    // search indexes read from this table which messages to remove
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

/** 10DLC brands, campaigns and numbers, and the voice provisioning that an operator imports for a tenant's phones. */
export function registrationTables({ text, int64, identity, tableOptions, keyedTableOptions }: Dialect): string[] {
  return [
    // review_started_at, like assignment_started_at of numbers, identifies the current review; null if a caller set the status.
    // folded_name is the distinctive part of the legal name, for comparison
    `CREATE TABLE brands (
       brand_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       provider ${text} NOT NULL,
       provider_brand_id ${text},
       external_brand_ref ${text},
       legal_business_name ${text} NOT NULL,
       folded_name ${text} NOT NULL,
       business_type ${text},
       website_url ${text},
       street ${text},
       city ${text},
       state ${text},
       postal_code ${text},
       country ${text},
       contact_first_name ${text},
       contact_last_name ${text},
       contact_email ${text},
       contact_phone ${text},
       status ${text} NOT NULL,
       verification_status ${text} NOT NULL,
       is_verification_given ${int64} NOT NULL,
       raw_provider_payload ${text},
       review_started_at ${int64},
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${tableOptions}`,
    "CREATE INDEX brands_merchant ON brands (tenant_id, merchant_id, brand_id)",
    `CREATE INDEX brands_waiting ON brands (tenant_id, review_started_at)
       WHERE status IN ('PENDING', 'IN_REVIEW') AND review_started_at IS NOT NULL`,

    // lists are JSON; merchant_reference is unique within the merchant
    `CREATE TABLE campaigns (
       campaign_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       brand_id ${int64} NOT NULL REFERENCES brands,
       provider ${text} NOT NULL,
       provider_campaign_id ${text},
       use_case ${text} NOT NULL,
       sub_use_cases ${text} NOT NULL,
       vertical ${text},
       description ${text} NOT NULL,
       message_flow ${text} NOT NULL,
       sample_messages ${text} NOT NULL,
       opt_in_keywords ${text} NOT NULL,
       opt_out_keywords ${text} NOT NULL,
       help_keywords ${text} NOT NULL,
       opt_in_message ${text} NOT NULL,
       opt_out_message ${text} NOT NULL,
       help_message ${text} NOT NULL,
       privacy_policy_link ${text},
       terms_and_conditions_link ${text},
       status ${text} NOT NULL,
       review_status ${text} NOT NULL,
       review_failure_code ${text},
       review_failure_reason ${text},
       raw_provider_payload ${text},
       review_started_at ${int64},
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       merchant_reference ${text},
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${tableOptions}`,
    "CREATE UNIQUE INDEX campaigns_reference ON campaigns (tenant_id, merchant_id, merchant_reference)",
    // a covering index: each SMS reads its campaign's status, which the row stores after kilobytes of text
    "CREATE INDEX campaigns_merchant ON campaigns (tenant_id, merchant_id, campaign_id, brand_id, status)",
    `CREATE INDEX campaigns_waiting ON campaigns (tenant_id, review_started_at)
       WHERE status = 'PENDING' AND review_started_at IS NOT NULL`,

    `CREATE TABLE numbers (
       number_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       phone_number ${text} NOT NULL,
       provider ${text} NOT NULL,
       provider_number_id ${text},
       number_type ${text},
       country_code ${text},
       capabilities ${text} NOT NULL,
       status ${text} NOT NULL,
       assignment_status ${text} NOT NULL,
       campaign_id ${int64} REFERENCES campaigns,
       assignment_started_at ${int64},
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants,
       UNIQUE (tenant_id, phone_number)
     ) ${tableOptions}`,
    "CREATE INDEX numbers_merchant ON numbers (tenant_id, merchant_id, number_id)",
    "CREATE INDEX numbers_campaign ON numbers (campaign_id)",
    "CREATE INDEX numbers_by_phone ON numbers (phone_number)",
    `CREATE INDEX numbers_waiting ON numbers (tenant_id, assignment_started_at)
       WHERE assignment_status = 'PENDING_ASSIGNMENT' AND assignment_started_at IS NOT NULL`,

    // phone_numbers, ring_groups (without members) and menus are JSON arrays, in the order of the import
    `CREATE TABLE voice_provisioning (
       tenant_id ${int64} PRIMARY KEY REFERENCES tenants,
       sip_host ${text},
       sip_domain ${text},
       wss_url ${text},
       udp_port ${int64},
       tls_port ${int64},
       ws_port ${int64},
       phone_numbers ${text} NOT NULL,
       ring_groups ${text} NOT NULL,
       menus ${text} NOT NULL,
       imported_at ${int64} NOT NULL
     ) ${tableOptions}`,

    // sealed_password is null for a user without a password
    `CREATE TABLE sip_users (
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       user_id ${int64} NOT NULL,
       position ${int64} NOT NULL,
       email ${text} NOT NULL,
       extension ${text} NOT NULL,
       sip_username ${text} NOT NULL,
       sealed_password ${text},
       agent_status ${text} NOT NULL,
       voice_enabled ${int64} NOT NULL,
       browser_enabled ${int64} NOT NULL,
       forward_number ${text},
       PRIMARY KEY (tenant_id, user_id),
       UNIQUE (tenant_id, sip_username),
       UNIQUE (tenant_id, extension)
     ) ${keyedTableOptions}`,

    `CREATE TABLE ring_group_members (
       tenant_id ${int64} NOT NULL,
       user_id ${int64} NOT NULL,
       ring_group_id ${int64} NOT NULL,
       position ${int64} NOT NULL,
       email ${text} NOT NULL,
       priority ${int64} NOT NULL,
       enabled ${int64} NOT NULL,
       agent_status ${text} NOT NULL,
       forward_number ${text},
       browser_enabled ${int64} NOT NULL,
       browser_client_identity ${text},
       browser_active ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, user_id, ring_group_id),
       FOREIGN KEY (tenant_id, user_id) REFERENCES sip_users
     ) ${keyedTableOptions}`,
  ];
}
