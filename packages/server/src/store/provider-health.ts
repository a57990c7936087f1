import type { Channel } from "./merchants.ts";
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

/** Has a set form. */
export const providerHealthStatement = `
  SELECT recent, is_failing AS "isFailing" FROM provider_health
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND provider = $4 FOR UPDATE`;

/** Undefined before its first answer. Held for update. */
export function findProviderHealth(tx: Transaction, key: ProviderHealthKey): Promise<ProviderHealth | undefined> {
  return tx.get<ProviderHealth>(providerHealthStatement, key.tenantId, key.merchantId, key.channel, key.provider);
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
