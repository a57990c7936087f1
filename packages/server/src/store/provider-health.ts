import type { Channel } from "./merchants.ts";
import { batchStatement, rowOf } from "./statement.ts";
import type { Transaction } from "./store.ts";

/** A provider's latest answers for one merchant's channel. */
export interface ProviderHealth {
  /** Oldest first: `1` for a failure, `0` for any other answer. */
  readonly recent: string;
  /** Whether it was failing at the last check, and so already has an alert. */
  readonly isFailing: 0 | 1;
}

export interface ProviderHealthKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly provider: string;
}

export const providerHealthStatement = batchStatement({
  params: { tenantId: "bigint", merchantId: "text", channel: "text", provider: "text" },
  row: rowOf<ProviderHealth>(),
  one: `
    SELECT recent, is_failing AS "isFailing" FROM provider_health
     WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND provider = $4 FOR UPDATE`,
  // not held: a unit that would change it is run by itself
  batch: {
    kind: "looks",
    sql: (wanted) => `
      SELECT w.ordinal, h.recent, h.is_failing AS "isFailing"
        FROM ${wanted}
        JOIN provider_health h ON h.tenant_id = w.tenant_id AND h.merchant_id = w.merchant_id AND h.channel = w.channel
                              AND h.provider = w.provider`,
  },
});

/** Undefined before its first answer. Held for update. */
export function findProviderHealth(tx: Transaction, key: ProviderHealthKey): Promise<ProviderHealth | undefined> {
  return tx.get(providerHealthStatement(key));
}

export async function saveProviderHealth(
  tx: Transaction,
  key: ProviderHealthKey,
  health: ProviderHealth,
): Promise<void> {
  await tx.run(
    `INSERT INTO provider_health (tenant_id, merchant_id, channel, provider, recent, is_failing)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (tenant_id, merchant_id, channel, provider) DO UPDATE
       SET recent = excluded.recent, is_failing = excluded.is_failing`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.provider,
    health.recent,
    health.isFailing,
  );
}
