// State changes of a message, each with its effect on the charge, and the checks before a submission. All state changes
// go through the transition table.

import type { Provider } from "../../carriers/provider.ts";
import { chargeOf, release, settle, settleUnits, unsettle } from "../../domain/billing/settlement.ts";
import { findLateCallingTime } from "../../domain/calls/quiet-hours.ts";
import { findCallOfMessage } from "../../domain/calls/rows.ts";
import { decideConsent } from "../../domain/consent/rules.ts";
import { contactOf, type RecipientDigest, readErasedRecipient } from "../../domain/contacts.ts";
import { findMerchant } from "../../domain/merchants/rows.ts";
import { readConsent } from "../../domain/messages/consents.ts";
import type { OutboxRow } from "../../domain/messages/outbox-rows.ts";
import {
  findCharge,
  type MessageProgress,
  saveAllTaken,
  saveOutcome,
  saveStatus,
  saveTaken,
} from "../../domain/messages/progress-rows.ts";
import { saveCarrierWords } from "../../domain/messages/rows.ts";
import type { DeliveryReason } from "../../domain/messages/rules.ts";
import { findStoppedNumbers, isBlockedBy } from "../../domain/messages/text-blocks.ts";
import type { ConsentPolicy, RegistrationPolicy, StopCoverage } from "../../domain/policies.ts";
import { readRegistration } from "../../domain/registration/progress.ts";
import { findRegistrationGap } from "../../domain/registration/rules.ts";
import { move } from "../../domain/transitions.ts";
import type { Transaction } from "../../store/store.ts";
import { endCallCanceled, endCallLost, endCallUntaken, type Moment, noteCallTaken } from "../calls/call-legs.ts";

/** Marks a message as SENT when the provider accepts it, and charges it. A call is charged when it ends. */
export async function markTaken(moment: Moment, message: MessageProgress, providerMessageId: string): Promise<void> {
  const status = move("message", message.status, "SENT");
  if (message.channel === "VOICE") {
    const { messageId, channel } = message;
    await saveTaken(moment.tx, { messageId, channel, status, providerMessageId, now: moment.now });
    return noteCallTaken(moment, message, providerMessageId);
  }
  const settlement = await settle(moment.tx, message, moment);
  await save(moment, message, { status, deliveryReason: null, providerMessageId, ...settlement });
}

/** Marks many messages as accepted. None of them may be a call. */
export async function markAllTaken(
  moment: Moment,
  taken: readonly { readonly message: MessageProgress; readonly providerMessageId: string }[],
): Promise<void> {
  const { tx, now, prices } = moment;
  const charged = taken.map(({ message, providerMessageId }) => {
    const { providerCostMicros, markupMicros } = chargeOf(message, prices);
    const status = move("message", message.status, "SENT");
    return { message, providerMessageId, status, providerCostMicros, markupMicros };
  });
  const messages = taken.map(({ message }) => message);
  await settleUnits(tx, messages, moment);
  await saveAllTaken(tx, charged, now);
}

/** Marks a message that no provider accepted or will accept: FAILED, or EXPIRED if no provider got it. Nothing is charged. */
export async function markNotTaken(
  moment: Moment,
  message: MessageProgress,
  to: "FAILED" | "EXPIRED",
  deliveryReason: DeliveryReason,
): Promise<void> {
  const status = move("message", message.status, to);
  const settlement = await release(moment.tx, message);
  await save(moment, message, { status, deliveryReason, ...settlement });
  if (message.channel === "VOICE") await endCallUntaken(moment, message, deliveryReason);
}

/** Marks a message as CANCELED by the operator while it waited. Nothing is charged. */
export async function markCanceled(moment: Moment, message: MessageProgress): Promise<void> {
  const status = move("message", message.status, "CANCELED");
  const settlement = await release(moment.tx, message);
  await save(moment, message, { status, deliveryReason: null, ...settlement });
  if (message.channel === "VOICE") await endCallCanceled(moment, message);
}

/**
 * Marks a message of unknown outcome as FAILED after the operator found out that it was not accepted. Reverses its
 * charge.
 */
export async function markNotTakenAfterAll(
  moment: Moment,
  message: MessageProgress,
  deliveryReason: DeliveryReason,
): Promise<void> {
  const status = move("message", message.status, "FAILED");
  const charged = await findCharge(moment.tx, message.messageId);
  const settlement =
    message.charge === "SETTLED"
      ? await unsettle(moment.tx, message, charged)
      : { charge: "RELEASED" as const, providerCostMicros: 0, markupMicros: 0 };
  await save(moment, message, { status, deliveryReason, ...settlement });
}

/**
 * Marks a message as UNKNOWN if its outcome will not be reported. The message is charged, because a late receipt may
 * still prove its acceptance, and by then its units could not be reserved again. A call is free: perhaps nobody
 * answered it.
 */
export async function markUnknown(moment: Moment, message: MessageProgress): Promise<void> {
  if (message.channel === "VOICE") return endCallLost(moment, message);
  const status = move("message", message.status, "UNKNOWN");
  if (message.charge !== "RESERVED")
    return saveStatus(moment.tx, message, { status, deliveryReason: null, now: moment.now });
  const settlement = await settle(moment.tx, message, moment);
  await save(moment, message, { status, deliveryReason: null, ...settlement });
}

/** Treats a message of an unregistered sender as carriers do: accepted and charged, then filtered (UNDELIVERED). */
export async function markFiltered(
  moment: Moment,
  message: MessageProgress,
  deliveryReason: DeliveryReason,
): Promise<void> {
  const sending = message.status === "SENDING" ? message.status : move("message", message.status, "SENDING");
  const status = move("message", move("message", sending, "SENT"), "UNDELIVERED");
  const settlement = await settle(moment.tx, message, moment);
  await save(moment, message, { status, deliveryReason, ...settlement });
}

/** Marks the delivery result of a message. The message was charged when it was accepted. */
export async function markDelivery(
  moment: Moment,
  message: MessageProgress,
  to: "DELIVERED" | "UNDELIVERED" | "EXPIRED",
  deliveryReason: DeliveryReason | null,
): Promise<void> {
  const status = move("message", message.status, to);
  await saveStatus(moment.tx, message, { status, deliveryReason, now: moment.now });
}

/** Stores a carrier's explanation about a message, for people to read. */
export async function keepWords(
  { tx, now }: { tx: Transaction; now: number },
  { messageId, recipient }: { messageId: string; recipient: string },
  words: string,
): Promise<void> {
  // the explanation could contain the erased recipient's address
  if (readErasedRecipient(recipient) !== undefined) return;
  if (words !== "") await saveCarrierWords(tx, { messageId, words, now });
}

function save(
  { tx, now }: Moment,
  message: MessageProgress,
  outcome: Omit<Parameters<typeof saveOutcome>[2], "now">,
): Promise<void> {
  return saveOutcome(tx, message, { now, ...outcome });
}

/** Context of the checks before a submission. */
export interface ObjectionContext extends Moment {
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  readonly digestRecipient: RecipientDigest;
  readonly registration: RegistrationPolicy;
}

/** Returns now. For a call that waited in its carrier's queue until night, returns the next morning. */
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
 * Finds a reason against the submission: consent withdrawn since acceptance, or a STOP to the sender. Neither applies
 * to a confirmation, which answers the recipient's own reply.
 */
export async function findObjection(
  context: ObjectionContext,
  row: OutboxRow,
  sender?: string,
): Promise<DeliveryReason | undefined> {
  if (row.purpose === "CONFIRMATION") return undefined;
  const { tenantId, merchantId, channel, type } = row;
  const contact = contactOf(row.recipient);
  // a call in doubt was not checked when the call began, so check the merchant, too
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

/** Returns whether carriers would filter the message as unregistered. False unless the operator simulates strict carriers. */
export async function isUnregistered(
  { tx, registration }: ObjectionContext,
  { tenantId, merchantId, channel }: OutboxRow,
): Promise<boolean> {
  if (registration === "open" || channel !== "SMS") return false;
  return findRegistrationGap(await readRegistration(tx, tenantId, merchantId)) !== undefined;
}
