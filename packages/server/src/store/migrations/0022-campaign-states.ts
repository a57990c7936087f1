import type { Migration } from "../dialect.ts";

/** Campaign states are read before each SMS, and lie behind kilobytes of text in their rows. */
export const campaignStates: Migration = {
  version: 22,
  name: "campaign-states",
  statements: () => [
    "DROP INDEX campaigns_merchant",
    "CREATE INDEX campaigns_merchant ON campaigns (tenant_id, merchant_id, campaign_id, brand_id, status)",
  ],
};
