import type { Migration } from "../dialect.ts";

/** A second carrier of a tenant's channel, for when the first cannot be reached. */
export const secondCarriers: Migration = {
  version: 41,
  name: "second-carriers",
  statements: () => [
    "ALTER TABLE carriers ADD COLUMN is_second INTEGER NOT NULL DEFAULT 0",
    "DROP INDEX carriers_in_use",
    "CREATE UNIQUE INDEX carriers_in_use ON carriers (tenant_id, channel, is_second) WHERE removed_at IS NULL",
  ],
};
