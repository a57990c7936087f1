// Suppresses recipients that bounce, and lifts suppressions that a delivery or a text from the phone disproves.

import { SIMULATED } from "../../domain/carriers/rules.ts";
import { contactOf, readErasedRecipient } from "../../domain/contacts.ts";
import type { MessageProgress } from "../../domain/messages/progress-rows.ts";
import type { DeliveryReason } from "../../domain/messages/rules.ts";
import {
  countBouncedAround,
  findBounce,
  removeBounces,
  type SuppressionKey,
  saveBounce,
} from "../../domain/messages/suppression-rows.ts";
import { bouncesTooOften, canSuppress, isSuppressedBy, SUPPRESSED_MS } from "../../domain/messages/suppressions.ts";
import type { Transaction } from "../../store/store.ts";
import { alertOfBounces } from "../provider-health.ts";

interface Reported {
  readonly tx: Transaction;
  readonly now: number;
  /** Name of the carrier that refused the message or could not deliver it. */
  readonly provider: string;
}

/**
 * Records a bounce of a locked message. Suppresses its recipient if the rules say so, unless too many of the carrier's
 * messages around it bounced: then the cause is not the recipient, and an alert is raised instead.
 */
export async function noteBounce(
  { tx, now, provider }: Reported,
  message: MessageProgress,
  { reason, isPermanent = false }: { reason: DeliveryReason | null; isPermanent?: boolean | undefined },
): Promise<void> {
  const { messageId, merchantId, channel, recipient } = message;
  const bounce = { channel, reason, isPermanent, at: now };
  if (reason === null || provider === SIMULATED || !canSuppress(bounce)) return;
  if (readErasedRecipient(recipient) !== undefined) return;
  tx.requireAlone("a bounce that may suppress its recipient");
  const bounced = (await countBouncedAround(tx, { carrier: provider, messageId })) + 1;
  if (bouncesTooOften(bounced)) return alertOfBounces({ tx, now, provider, served: message }, bounced);
  const key = keyOf(message);
  const earlier = await findBounce(tx, key, now);
  if (earlier !== undefined && earlier.suppressedAt !== null) return;
  const isSuppressed = isSuppressedBy(bounce, earlier?.bouncedAt);
  if (earlier !== undefined && !isSuppressed) return;
  await saveBounce(tx, key, {
    channel,
    reason,
    messageId,
    merchantId,
    bouncedAt: earlier?.bouncedAt ?? now,
    suppressedAt: isSuppressed ? now : null,
    endsAt: now + SUPPRESSED_MS,
  });
}

/** Lifts what is stored about the recipient of a locked message that was delivered. */
export async function noteDelivery({ tx, provider }: Reported, message: MessageProgress): Promise<void> {
  if (message.hasBounced === 0 || provider === SIMULATED) return;
  tx.requireAlone("a delivery that lifts a suppression");
  await removeBounces(tx, keyOf(message));
}

/** The key under which bounces of the message's recipient are stored. */
export function keyOf({ tenantId, channel, recipient }: MessageProgress): SuppressionKey {
  return { tenantId, channel, contact: contactOf(recipient) };
}
