// Accepts messages, or refuses them.

import { reserveUsage } from "../billing/rows.ts";
import { availableUnits, type Quota, reserveUnits, suggestLimit } from "../billing/rules.ts";
import { type ConsentStatus, decideConsent, type MessageType } from "../consent/rules.ts";
import { contactOf } from "../contacts.ts";
import type { OperationContext } from "../context.ts";
import type { Reference } from "../handler.ts";
import { findMerchant, findSendingMerchant } from "../merchants/rows.ts";
import type { ConsentPolicy } from "../policies.ts";
import { Refusal } from "../refusal.ts";
import { currentPeriod, merchantInactive, merchantNotFound } from "../tenancy/access.ts";
import { labelMessage } from "../tenancy/project-rows.ts";
import { resolveConsent } from "./consents.ts";
import { type AskedMessage, findSentMessage, insertMessage, type SentMessageRow } from "./rows.ts";
import { isConversationBlocked } from "./text-blocks.ts";

/** A message that a request asks to send. */
export interface SentMessage extends AskedMessage {
  readonly type: MessageType;
}

/**
 * Accepts a message for the dispatcher to send: checks merchant, consent and quota, then writes the message, the
 * reservation and the queue entry in the caller's transaction. Throws a `Refusal` if a check fails.
 */
export async function acceptMessage(context: OperationContext, message: SentMessage): Promise<SentMessageRow> {
  const { tx, caller, now, settings, project } = context;
  const { tenantId } = caller;
  const { merchantId, channel, recipient, units } = message;
  const period = currentPeriod(context);
  const contact = contactOf(recipient);

  const merchant = await findSendingMerchant(tx, { tenantId, merchantId, channel, period, contact });
  if (merchant === undefined) throw merchantNotFound(merchantId);
  if (merchant.active === 0) throw await merchantInactive(context, merchantId, "sends nothing");
  const key = { tenantId, merchantId, channel, contact };
  const digesting = { tx, digestRecipient: settings.digestRecipient };
  requireConsent(settings.consentPolicy, message, await resolveConsent(digesting, key, merchant.consent));
  if (channel === "SMS" && (await isConversationBlocked(digesting, key))) throw optedOut(message);
  const reservation = reserveUnits(merchant, units);
  if (reservation === undefined) throw await quotaExceeded(context, message, merchant);

  const { creditUnits } = reservation;
  const messageId = settings.newId("msg", now);
  await reserveUsage(tx, { tenantId, merchantId, channel, period }, { units, creditUnits });
  await insertMessage(tx, message, { messageId, tenantId, purpose: "SEND", creditUnits, period, now });
  if (typeof project === "string") await labelMessage(tx, messageId, { tenantId, project, now });
  return { messageId, merchantId, channel, recipient, status: "QUEUED" };
}

/** Throws `consent_opted_out` or `consent_required` if the recipient's decision does not allow the send. */
export function requireConsent(
  policy: ConsentPolicy,
  { merchantId, channel, type }: Pick<SentMessage, "merchantId" | "channel" | "type">,
  status?: ConsentStatus,
): void {
  const decision = decideConsent({ policy, channel, type, status });
  if (decision === "consent_opted_out") throw optedOut({ merchantId, channel });
  if (decision === "consent_required") {
    const detail = `${type} by ${channel} needs a recorded OPT_IN, and merchant ${merchantId} has none from this recipient.`;
    throw new Refusal(decision, detail);
  }
}

function optedOut({ merchantId, channel }: Pick<SentMessage, "merchantId" | "channel">): Refusal {
  return new Refusal("consent_opted_out", `The recipient has opted out of ${channel} from merchant ${merchantId}.`);
}

const limitNames = { SMS: "smsLimit", VOICE: "voiceMinutesLimit", EMAIL: "emailLimit" } as const;

/** The refusal of a send that needs more units than are left. It suggests a higher limit. */
export async function quotaExceeded(
  { tx, caller }: OperationContext,
  { merchantId, channel, units }: Pick<SentMessage, "merchantId" | "channel" | "units">,
  quota: Quota,
): Promise<Refusal> {
  const available = availableUnits(quota);
  const takes = `The message takes ${units} of merchant ${merchantId}'s ${channel} quota`;
  const detail =
    quota.limit === 0
      ? `${takes}, and ${available} are left: its ${limitNames[channel]} is 0, as every new merchant's is. Set a higher one, or buy credits.`
      : `${takes}, and ${available} are left this month.`;
  const displayName = (await findMerchant(tx, caller.tenantId, merchantId))?.displayName ?? merchantId;
  const cure = { suggestedLimit: suggestLimit(quota, units), merchantId, displayName };
  return new Refusal("quota_exceeded", detail, { channel, available, required: units, ...cure });
}

/** Reads the message that an earlier call with the same key created. */
export async function readMessage({ tx, caller }: OperationContext, reference: Reference): Promise<SentMessageRow> {
  const message = await findSentMessage(tx, caller.tenantId, String(reference.messageId));
  if (message === undefined) throw new Error("an accepted message is gone");
  return message;
}
