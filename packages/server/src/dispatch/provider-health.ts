import { ALL_WELL, addAnswer, describeFailing } from "../rules/provider-health.ts";
import { insertAlert } from "../store/alerts.ts";
import type { MessageProgress } from "../store/message-progress.ts";
import { findProviderHealth, saveProviderHealth } from "../store/provider-health.ts";
import type { Transaction } from "../store/store.ts";

interface Answer {
  readonly tx: Transaction;
  readonly now: number;
  /** The provider's name. */
  readonly provider: string;
  readonly message: MessageProgress;
}

/** The provider took the message, or refused it for the message's own sake. */
export async function noteHealthy({ tx, provider, message }: Answer): Promise<void> {
  const key = { ...pick(message), provider };
  const health = await findProviderHealth(tx, key);
  // nothing would change: so it is with nearly every message
  if (health?.recent === ALL_WELL) return;
  const recent = addAnswer(health?.recent ?? "", false);
  await saveProviderHealth(tx, key, { recent, isFailing: describeFailing(recent) === undefined ? 0 : 1 });
}

/** The provider failed by its own fault. Raises PROVIDER_FAILURE for the merchant when it begins to fail repeatedly. */
export async function noteFailure({ tx, now, provider, message }: Answer): Promise<void> {
  const key = { ...pick(message), provider };
  const health = await findProviderHealth(tx, key);
  const recent = addAnswer(health?.recent ?? "", true);
  const failing = describeFailing(recent);
  await saveProviderHealth(tx, key, { recent, isFailing: failing === undefined ? 0 : 1 });
  if (failing === undefined || health?.isFailing === 1) return;
  await insertAlert(tx, {
    ...pick(message),
    alertType: "PROVIDER_FAILURE",
    severity: "CRITICAL",
    message: `The ${message.channel === "SMS" ? "SMS" : message.channel.toLowerCase()} provider ${failing}.`,
    thresholdPercent: null,
    occurrence: message.messageId,
    now,
  });
}

function pick({ tenantId, merchantId, channel }: MessageProgress) {
  return { tenantId, merchantId, channel };
}
