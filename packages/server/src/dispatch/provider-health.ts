// Tracks the health of providers by their answers, and alerts a merchant when one of its providers starts to fail.

import { findProviderHealth, saveProviderHealth } from "../domain/carriers/rows.ts";
import { addAnswer, describeFailing, hasRecovered } from "../domain/carriers/rules.ts";
import { insertAlert } from "../domain/merchants/alert-rows.ts";
import type { MessageProgress } from "../domain/messages/progress-rows.ts";
import { dayOf, JUDGED } from "../domain/messages/suppressions.ts";
import type { Transaction } from "../store/store.ts";

export interface ProviderAnswer {
  readonly tx: Transaction;
  readonly now: number;
  /** The provider's name. */
  readonly provider: string;
  /** The merchant and channel that were served. */
  readonly served: Pick<MessageProgress, "tenantId" | "merchantId" | "channel">;
  /** Subject of the answer, such as a message's id. Each occurrence raises at most one alert. */
  readonly occurrence: string;
}

/** Records `count` equal answers of a carrier. `hasFailed`: the carrier itself failed, rather than refusing the message. */
export function noteCarrier(answer: ProviderAnswer, hasFailed: boolean, count = 1): Promise<void> {
  return note(answer, answer.served.channel, hasFailed, count);
}

/** Records a speech engine's answer. Its health is separate from that of a carrier with the same name. */
export function noteSpeech(answer: ProviderAnswer, hasFailed: boolean): Promise<void> {
  return note({ ...answer, provider: `speech:${answer.provider}` }, "SPEECH", hasFailed);
}

const nouns = { SMS: "SMS", VOICE: "voice", EMAIL: "email", SPEECH: "speech" } as const;

/** Raises PROVIDER_FAILURE for the merchant because `bounced` of the carrier's last 100 messages bounced: once a day (UTC). */
export async function alertOfBounces(
  { tx, now, provider, served }: Omit<ProviderAnswer, "occurrence">,
  bounced: number,
): Promise<void> {
  const { tenantId, merchantId, channel } = served;
  await insertAlert(tx, {
    tenantId,
    merchantId,
    channel,
    alertType: "PROVIDER_FAILURE",
    severity: "CRITICAL",
    message: `The ${nouns[channel]} provider returned ${bounced} of its last ${JUDGED} messages as undeliverable, so their recipients are not suppressed.`,
    thresholdPercent: null,
    occurrence: `bounces ${provider} ${dayOf(now)}`,
    now,
  });
}

/** Records answers. Raises PROVIDER_FAILURE for the merchant when the provider starts to fail repeatedly. */
async function note(answer: ProviderAnswer, service: keyof typeof nouns, hasFailed: boolean, count = 1): Promise<void> {
  const { tx, now, provider, served, occurrence } = answer;
  const { tenantId, merchantId, channel } = served;
  const key = { tenantId, merchantId, channel, provider };
  const health = await findProviderHealth(tx, key);
  const recent = addAnswer(health?.recent ?? "", hasFailed, count);
  // nothing changes if all recent answers were like this one
  if (recent === health?.recent) return;
  tx.requireAlone("an answer that changes a provider's health");
  const failing = describeFailing(recent);
  const wasFailing = health?.isFailing === 1;
  const isFailing = failing !== undefined || (wasFailing && !hasRecovered(recent));
  await saveProviderHealth(tx, key, { recent, isFailing: isFailing ? 1 : 0 });
  if (failing === undefined || wasFailing) return;
  await insertAlert(tx, {
    tenantId,
    merchantId,
    channel,
    alertType: "PROVIDER_FAILURE",
    severity: "CRITICAL",
    message: `The ${nouns[service]} provider ${failing}.`,
    thresholdPercent: null,
    occurrence,
    now,
  });
}
