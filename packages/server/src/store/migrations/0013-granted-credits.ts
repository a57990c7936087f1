import type { Migration } from "../dialect.ts";

/**
 * Keeps the credits that tenants granted a channel, less those taken away: with those paid for and those used, they
 * give what must be left.
 */
export const grantedCredits: Migration = {
  version: 13,
  name: "granted-credits",
  statements: ({ int64 }) => [
    `ALTER TABLE quotas ADD COLUMN granted_credits ${int64} NOT NULL DEFAULT 0`,
    `UPDATE quotas SET granted_credits = credits
       + COALESCE((SELECT SUM(u.credit_units) FROM usage u WHERE u.tenant_id = quotas.tenant_id
                      AND u.merchant_id = quotas.merchant_id AND u.channel = quotas.channel), 0)
       - COALESCE((SELECT SUM(p.units) FROM payments p WHERE p.status = 'SUCCEEDED' AND p.tenant_id = quotas.tenant_id
                      AND p.merchant_id = quotas.merchant_id AND p.channel = quotas.channel), 0)`,
  ],
};
