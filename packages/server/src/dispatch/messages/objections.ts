// What speaks against submitting a message now, although it was accepted.

import { type ConsentPolicy, decideConsent, type StopCoverage } from "../../rules/consent.ts";
import { contactOf } from "../../rules/contacts.ts";
import type { DeliveryReason } from "../../rules/delivery.ts";
import type { RecipientDigest } from "../../rules/erased-recipients.ts";
import { findLateCallingTime } from "../../rules/quiet-hours.ts";
import { findRegistrationGap, type RegistrationPolicy } from "../../rules/readiness.ts";
import { readConsent } from "../../steps/recorded-consents.ts";
import { readRegistration } from "../../steps/registration-states.ts";
import { findStoppedNumbers, isBlockedBy } from "../../steps/text-blocks.ts";
import { findCallOfMessage } from "../../store/calls.ts";
import { findMerchant } from "../../store/merchants.ts";
import type { OutboxRow } from "../../store/outbox.ts";
import type { Provider } from "../providers/provider.ts";
import type { Moment } from "./progress.ts";

/** What is asked by. */
export interface ObjectionContext extends Moment {
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  readonly digestRecipient: RecipientDigest;
  readonly registration: RegistrationPolicy;
}

/** Now, or the next morning for a call that waited in its carrier's line until the night. */
export async function findCallableTime(
  { tx, now }: ObjectionContext,
  row: OutboxRow,
  carrier: Provider,
): Promise<number> {
  if (row.channel !== "VOICE" || carrier.capacity === undefined) return now;
  const call = await findCallOfMessage(tx, row.messageId);
  if (call === undefined) return now;
  const { toNumber: number, executionTimezone, customerTimezone } = call;
  return findLateCallingTime({ number, executionTimezone, customerTimezone, now });
}

/**
 * Consent may have been withdrawn since the message was accepted, or the number that it leaves from was said STOP to. A
 * confirmation answers the recipient's own reply.
 */
export async function findObjection(
  context: ObjectionContext,
  row: OutboxRow,
  sender?: string,
): Promise<DeliveryReason | undefined> {
  if (row.purpose === "CONFIRMATION") return undefined;
  const { tenantId, merchantId, channel, type } = row;
  const contact = contactOf(row.recipient);
  // a call that was in doubt was not checked when it began
  const wasDoubted = row.status === "SENDING" && row.attempts === 0;
  if (wasDoubted && (await findMerchant(context.tx, tenantId, merchantId))?.active !== 1) return "BLOCKED";
  const isStopped = channel === "VOICE" && (await findStoppedNumbers(context, row, [contact])).has(contact);
  const status = isStopped ? "OPT_OUT" : await readConsent(context, { tenantId, merchantId, channel, contact });
  const decision = decideConsent({ policy: context.consentPolicy, channel, type, status });
  if (decision === "allowed") {
    const isBlocked = sender !== undefined && (await isBlockedBy(context, { ...row, contact }, [sender]));
    return isBlocked ? "OPTED_OUT" : undefined;
  }
  return decision === "consent_opted_out" ? "OPTED_OUT" : "BLOCKED";
}

/** Whether carriers would filter the message, if the operator has such strict ones simulated. */
export async function isUnregistered(
  { tx, registration }: ObjectionContext,
  { tenantId, merchantId, channel }: OutboxRow,
): Promise<boolean> {
  if (registration === "open" || channel !== "SMS") return false;
  return findRegistrationGap(await readRegistration(tx, tenantId, merchantId)) !== undefined;
}
