import type { Channel } from "./merchants.ts";
import type { Transaction } from "./store.ts";

/** Notes that a provider told of an event. Returns whether it is new: one told again must not count again. */
export async function insertProviderEvent(
  tx: Transaction,
  event: { provider: string; eventId: string; now: number },
): Promise<boolean> {
  const added = await tx.run(
    `INSERT INTO provider_events (provider, event_id, received_at) VALUES ($1, $2, $3)
     ON CONFLICT (provider, event_id) DO NOTHING`,
    event.provider,
    event.eventId,
    event.now,
  );
  return added > 0;
}

/** Keeps a submission that failed by the provider's own fault. */
export async function insertProviderFailure(
  tx: Transaction,
  failure: {
    tenantId: number;
    merchantId: string;
    channel: Channel;
    provider: string;
    messageId: string;
    detail: string;
    now: number;
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO provider_failures (tenant_id, merchant_id, channel, provider, message_id, detail, failed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    failure.tenantId,
    failure.merchantId,
    failure.channel,
    failure.provider,
    failure.messageId,
    failure.detail,
    failure.now,
  );
}
