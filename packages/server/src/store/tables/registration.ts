import type { Dialect } from "../dialect.ts";

/** Brands, campaigns and numbers of 10DLC, and what an operator imports for a tenant's phones. */
export function registrationTables({ text, int64, identity, tableOptions, keyedTableOptions }: Dialect): string[] {
  return [
    // review_started_at, as assignment_started_at of numbers, names the review under way; null if a caller gave the status.
    // folded_name is the part of the legal name that tells one business from another
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

    // lists are JSON; merchant_reference names one campaign of its merchant
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
    // campaign states are read before each SMS, and lie behind kilobytes of text in their rows
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

    // phone_numbers, ring_groups (without members) and menus are JSON lists, in the order of the import
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

    // sealed_password is null for a user who has none
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
