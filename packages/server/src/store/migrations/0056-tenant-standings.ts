import type { Migration } from "../dialect.ts";

/** The operator's decisions about tenants: which are disabled, and how many requests they may make. */
export const tenantStandings: Migration = {
  version: 56,
  name: "tenant-standings",
  statements: ({ text, int64 }) => [
    `ALTER TABLE tenants ADD COLUMN disabled_at ${int64}`,
    `ALTER TABLE tenants ADD COLUMN disabled_reason ${text}`,
    `ALTER TABLE tenants ADD COLUMN disabled_by ${text}`,
    // as in 50:200; null for the server's own
    `ALTER TABLE tenants ADD COLUMN rate_limit ${text}`,
  ],
};
