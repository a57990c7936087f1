import type { Migration } from "../dialect.ts";

/**
 * A campaign's reference names one campaign of its merchant, no longer one of the tenant. campaign_reference, whose
 * uniqueness over the tenant is a part of its table, stays behind empty.
 */
export const campaignReferences: Migration = {
  version: 17,
  name: "campaign-references",
  statements: () => [
    "ALTER TABLE campaigns ADD COLUMN merchant_reference TEXT",
    "UPDATE campaigns SET merchant_reference = campaign_reference, campaign_reference = NULL",
    "CREATE UNIQUE INDEX campaigns_reference ON campaigns (tenant_id, merchant_id, merchant_reference)",
  ],
};
