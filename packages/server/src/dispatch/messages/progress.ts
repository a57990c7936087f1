// State changes of a message, each with the charge that it decides. All go through the transition table. What its carrier
// said of it is kept beside them.

import type { DeliveryReason } from "../../rules/delivery.ts";
import { readErasedRecipient } from "../../rules/erased-recipients.ts";
import type { PriceList } from "../../rules/prices.ts";
import { move } from "../../rules/transitions.ts";
import type { CallMoment } from "../../steps/call-progress.ts";
import { chargeOf, release, settle, settleUnits, unsettle } from "../../steps/settlement.ts";
import { saveCarrierWords } from "../../store/carrier-words.ts";
import {
  findCharge,
  type MessageProgress,
  saveAllTaken,
  saveOutcome,
  saveStatus,
  saveTaken,
} from "../../store/message-progress.ts";
import type { ReachedStatus } from "../../store/occurrences.ts";
import type { Transaction } from "../../store/store.ts";
import { endCallCanceled, endCallLost, endCallUntaken, noteCallTaken } from "../calls/call-legs.ts";

/** What a move needs besides its message. */
export interface Moment extends CallMoment {
  readonly prices: PriceList;
}

/** The provider took it: SENT, and charged; a call is charged when it ends. */
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

/** The same for many messages, none of which is a call. */
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

/** No provider took it, and none will: FAILED, or EXPIRED if none was asked; nothing is charged. */
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

/** The operator has taken it out of its queue: CANCELED, and nothing is charged. */
export async function markCanceled(moment: Moment, message: MessageProgress): Promise<void> {
  const status = move("message", message.status, "CANCELED");
  const settlement = await release(moment.tx, message);
  await save(moment, message, { status, deliveryReason: null, ...settlement });
  if (message.channel === "VOICE") await endCallCanceled(moment, message);
}

/** A message whose outcome was not reported was not taken, as the operator has learned: FAILED, and its charge taken back. */
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
 * Its outcome will not be reported: UNKNOWN. It is charged, as the provider may have taken it: a late receipt can still
 * prove that, when the units could no longer be recovered. A call is free: nobody knows that it was answered.
 */
export async function markUnknown(moment: Moment, message: MessageProgress): Promise<void> {
  if (message.channel === "VOICE") return endCallLost(moment, message);
  const status = move("message", message.status, "UNKNOWN");
  if (message.charge !== "RESERVED") return saveFinal(moment, message, status, null);
  const settlement = await settle(moment.tx, message, moment);
  await save(moment, message, { status, deliveryReason: null, ...settlement });
}

/**
 * Carriers take a message of an unregistered sender and then filter it: UNDELIVERED, and charged like any other.
 * No provider is asked, as its answer is known.
 */
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

/** Records the delivery result of a message that was taken, and charged then. */
export async function markDelivery(
  moment: Moment,
  message: MessageProgress,
  to: "DELIVERED" | "UNDELIVERED" | "EXPIRED",
  deliveryReason: DeliveryReason | null,
): Promise<void> {
  await saveFinal(moment, message, move("message", message.status, to), deliveryReason);
}

/** Keeps what a carrier said of a message, for people who look at it. */
export async function keepWords(
  { tx, now }: { tx: Transaction; now: number },
  { messageId, recipient }: { messageId: string; recipient: string },
  words: string,
): Promise<void> {
  // carriers repeat whom a message was for
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

function saveFinal(
  { tx, now }: Moment,
  message: MessageProgress,
  status: ReachedStatus,
  deliveryReason: DeliveryReason | null,
): Promise<void> {
  return saveStatus(tx, message, { status, deliveryReason, now });
}
