import type { Migration } from "../dialect.ts";

/** When a credential was last used, and a tenant's credentials without scanning all. */
export const keys: Migration = {
  version: 8,
  name: "keys",
  statements: ({ int64 }) => [
    `ALTER TABLE credentials ADD COLUMN last_used_at ${int64}`,
    "CREATE INDEX credentials_by_tenant ON credentials (tenant_id, created_at)",
  ],
};
