import type { Migration } from "../dialect.ts";

/**
 * A tenant is live or test as a whole, and its keys' prefix says which. An existing one is test if all keys that it
 * was ever given say so, and live if one of them is, or if it has none.
 */
export const tenantModes: Migration = {
  version: 18,
  name: "tenant-modes",
  statements: () => [
    "ALTER TABLE tenants ADD COLUMN mode TEXT NOT NULL DEFAULT 'live'",
    `UPDATE tenants SET mode = 'test'
      WHERE EXISTS (SELECT 1 FROM credentials c WHERE c.tenant_id = tenants.tenant_id)
        AND NOT EXISTS (SELECT 1 FROM credentials c
                         WHERE c.tenant_id = tenants.tenant_id AND SUBSTR(c.api_key, 5, 5) = 'live_')`,
  ],
};
