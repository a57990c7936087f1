import type { Migration } from "./migration.ts";

/** How far a merchant's campaigns are is asked before each SMS, and a row has it behind texts of kilobytes. */
export const campaignStates: Migration = {
  version: 22,
  name: "campaign-states",
  statements: () => [
    "DROP INDEX campaigns_merchant",
    "CREATE INDEX campaigns_merchant ON campaigns (tenant_id, merchant_id, campaign_id, brand_id, status)",
  ],
};
