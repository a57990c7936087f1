import type { Migration } from "../dialect.ts";

/**
 * Keys of a tenant's credentials and of each merchant's no longer collide. Existing rows name no merchant and stay
 * where they are, for the whole tenant, until they expire: a call repeated across the change is still not done twice.
 */
export const idempotencyScope: Migration = {
  version: 16,
  name: "idempotency-scope",
  // merchant_id is the credential's, and empty for a tenant's
  statements: ({ int64, keyedTableOptions }) => [
    `CREATE TABLE idempotency_keys (
       tenant_id ${int64} NOT NULL,
       merchant_id TEXT NOT NULL,
       operation TEXT NOT NULL,
       idempotency_key TEXT NOT NULL,
       fingerprint TEXT NOT NULL,
       reference TEXT NOT NULL,
       expires_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, operation, idempotency_key)
     ) ${keyedTableOptions}`,
    "CREATE INDEX idempotency_keys_over ON idempotency_keys (expires_at)",
  ],
};
