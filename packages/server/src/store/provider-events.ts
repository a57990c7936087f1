import type { Transaction } from "./store.ts";

/** Records an event that a provider reported. Returns whether it is new: a repeated one must not count again. */
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
