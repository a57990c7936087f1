// Records what a provider reports on its own: receipts, opt-outs, replies. They may come late, twice or out of order,
// and still converge: a move missing from the transition table is one that was overtaken.

import type { StopCoverage } from "../../rules/consent.ts";
import type { RecipientDigest } from "../../rules/erased-recipients.ts";
import { boundOfConfirmations, confirmationId } from "../../rules/message-ids.ts";
import { PATIENCE_MS } from "../../rules/patience.ts";
import { canMove, type MessageStatus } from "../../rules/transitions.ts";
import { receiveReply } from "../../steps/inbound-replies.ts";
import { receiveText } from "../../steps/inbound-texts.ts";
import { recordOptOut } from "../../steps/opt-outs.ts";
import { allEnded } from "../../store/all-ended.ts";
import { addDoubts, type Horizon, listHorizons } from "../../store/doubts.ts";
import { inLockOrder } from "../../store/lock-order.ts";
import {
  findLastProvider,
  findMessageProgress,
  findStandings,
  type MessageProgress,
  type Move,
  quotaKeyOf,
  type Standing,
  saveStatuses,
} from "../../store/message-progress.ts";
import { awaitReceipt, endDispatch, endDispatches } from "../../store/outbox.ts";
import { insertProviderEvent } from "../../store/provider-events.ts";
import type { Transaction } from "../../store/store.ts";
import { isOwnNumber, keepUnmatchedText, listTextContacts } from "../../store/text-lines.ts";
import { endCall, noteCallStage } from "../calls/call-legs.ts";
import type { DeliveryReport, InboundText, MessageEvent } from "../providers/provider.ts";
import { type ReportedTooEarly, refuseBeforeCall, refuseWhileInDoubt } from "./early-reports.ts";
import { optOutBy } from "./outcomes.ts";
import { type Moment, markDelivery, markTaken } from "./progress.ts";
import { keepWords } from "./words.ts";

export interface Reported extends Moment {
  /** The provider's name. */
  readonly provider: string;
}

/** A report that may be a reply, which is answered. */
export interface Replying extends Reported {
  readonly digestRecipient: RecipientDigest;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
}

/** Of a provider whose own messages are known. */
export interface ReportedOfOwn extends Replying {
  /** Whether a provider of this name is the same one, perhaps as it was set before. */
  readonly isOwn: (provider: string) => boolean;
}

/**
 * The result of recording an event. `queued`: it also queued a message. `unheard-of`: it is about no message here. `unmatched`: it
 * is a text to a number that is nobody's here, and was kept.
 */
export type Recorded = "recorded" | "queued" | "unheard-of" | "unmatched";

/** Records one event, once, however often it is reported. Throws a {@link ReportedTooEarly}. */
export async function recordEvent(reported: ReportedOfOwn, event: MessageEvent): Promise<Recorded> {
  const message = await findMessageProgress(reported.tx, event.clientReference);
  if (message === undefined) {
    if (event.kind === "call") await refuseBeforeCall(reported.tx, event.clientReference);
    return "unheard-of";
  }
  switch (event.kind) {
    case "receipt":
      await recordReceipt(reported, message, event);
      return "recorded";
    case "call": {
      await refuseWhileInDoubt(reported.tx, message);
      if (!(await wasGivenTo(reported, message))) return "unheard-of";
      await recordCallReport(reported, message, event);
      return "recorded";
    }
    case "opt-out":
      if (await isNew(reported, event)) await recordOptOut(reported, message, optOutBy(reported.provider, event.cause));
      return "recorded";
    case "reply":
      return recordReply(reported, message, event);
  }
}

/** A message's receipt, and the name of the provider that reported it. */
export interface ReportedReceipt {
  readonly provider: string;
  readonly receipt: Receipt;
}

type Receipt = MessageEvent & { readonly kind: "receipt" };

/** Records the receipts of many messages, one of each. Throws a {@link ReportedTooEarly}. */
export async function recordReceipts(moment: Moment, reported: readonly ReportedReceipt[]): Promise<Recorded[]> {
  const { tx, now } = moment;
  const found = await findStandings(
    tx,
    reported.map(({ receipt }) => receipt.clientReference),
  );
  const ends: Move[] = [];
  const others: ReportedReceipt[] = [];
  for (const { provider, receipt } of reported) {
    const message = found.get(receipt.clientReference);
    if (message === undefined) continue;
    const end = endOf(message, receipt);
    if (end !== undefined) ends.push(end);
    else others.push({ provider, receipt });
  }
  // one after the other: two of one quota at once would each act on what the other is about to change
  const inTurn = inLockOrder(await findMessages(tx, others), ({ message }) => quotaKeyOf(message));
  for (const { message, provider, receipt } of inTurn) await recordReceipt({ ...moment, provider }, message, receipt);
  await saveStatuses(tx, ends, now);
  await endDispatches(
    tx,
    ends.map(({ message }) => message.messageId),
  );
  return reported.map(({ receipt }) => (found.has(receipt.clientReference) ? "recorded" : "unheard-of"));
}

async function findMessages(
  tx: Transaction,
  reported: readonly ReportedReceipt[],
): Promise<(ReportedReceipt & { readonly message: MessageProgress })[]> {
  const found = await allEnded(reported.map(({ receipt }) => findMessageProgress(tx, receipt.clientReference)));
  return reported.flatMap((one, index) => {
    const message = found[index];
    return message === undefined ? [] : [{ ...one, message }];
  });
}

/** The end that a receipt means for a message whose being taken is on record; undefined if there is more to it. */
function endOf(message: Standing, { status, reason, detail }: Receipt): Move | undefined {
  if (message.status !== "SENT" || status === "SENT" || detail !== undefined) return undefined;
  return canMove("message", message.status, status) ? { message, status, deliveryReason: reason } : undefined;
}

/**
 * Records a text from a phone: it answers the last one that the phone was sent from the number, and holds for all that was, by
 * whichever carrier it comes. A text to a number that is nobody's is kept.
 */
export async function recordInbound(reported: Replying, event: InboundText): Promise<Recorded> {
  const { tx, now, provider, digestRecipient, stopCovers } = reported;
  const { eventId, from: phone, to: sender, text } = event;
  if (!(await isNew(reported, event))) return "recorded";
  const contacts = await listTextContacts(tx, sender, phone);
  if (contacts.length === 0 && !(await isOwnNumber(tx, sender))) {
    await keepUnmatchedText(tx, { carrier: provider, eventId, sender, phone, content: text }, now);
    return "unmatched";
  }
  const line = { sender, phone, contacts };
  const context = { tx, now, digestRecipient, stopCovers, changedBy: `provider:${provider}` };
  const repliedTo = contacts[0]?.messageId;
  if (repliedTo === undefined) {
    await receiveText({ ...context, confirmationId: "" }, line, text);
    return "recorded";
  }
  const confirmation = confirmationId({ provider, eventId, repliedTo });
  // reported so late that its event was forgotten
  if ((await findMessageProgress(tx, confirmation)) !== undefined) return "recorded";
  const effect = await receiveText({ ...context, confirmationId: confirmation }, line, text);
  if (effect?.isConfirmed !== true) return "recorded";
  await doubtConfirmation(reported, confirmation, repliedTo);
  return "queued";
}

/** Whoever has a switch of its own says of calls what it likes: it counts for its own. */
async function wasGivenTo({ tx, isOwn }: ReportedOfOwn, { messageId, channel }: MessageProgress): Promise<boolean> {
  const provider = channel === "VOICE" ? await findLastProvider(tx, messageId) : undefined;
  return provider !== undefined && isOwn(provider);
}

async function recordReply(
  reported: Replying,
  message: MessageProgress,
  { eventId, text }: { eventId: string; text: string },
): Promise<Recorded> {
  const { tx, now, provider, digestRecipient, stopCovers } = reported;
  if (!(await isNew(reported, { eventId }))) return "recorded";
  const messageId = confirmationId({ provider, eventId, repliedTo: message.messageId });
  // reported so late that its event was forgotten
  if ((await findMessageProgress(tx, messageId)) !== undefined) return "recorded";
  const changedBy = `provider:${provider}`;
  const context = { tx, now, confirmationId: messageId, changedBy, digestRecipient, stopCovers };
  const { isConfirmed } = await receiveReply(context, message, text);
  if (!isConfirmed) return "recorded";
  await doubtConfirmation(reported, messageId, message.messageId);
  return "queued";
}

/** Marks a confirmation as doubtful if the server whose database was put back may have sent it already. */
async function doubtConfirmation({ tx }: Reported, confirmation: string, repliedTo: string): Promise<void> {
  const horizons = await listHorizons(tx);
  const isFromBefore = ({ lastMessageId: last }: Horizon) => last !== "" && repliedTo < boundOfConfirmations(last);
  await addDoubts(tx, confirmation, horizons.filter(isFromBefore));
}

async function recordReceipt(reported: Reported, message: MessageProgress, receipt: Receipt): Promise<void> {
  await refuseWhileInDoubt(reported.tx, message);
  const status = await proveTaken(reported, message, receipt.providerMessageId);
  if (receipt.detail !== undefined && isFailure(receipt.status)) await keepWords(reported, message, receipt.detail);
  if (receipt.status === "SENT" || !canMove("message", status, receipt.status)) return;
  await markDelivery(reported, { ...message, status }, receipt.status, receipt.reason);
  await endDispatch(reported.tx, message.messageId);
}

function isFailure(status: DeliveryReport["status"]): boolean {
  return status === "UNDELIVERED" || status === "EXPIRED";
}

async function recordCallReport(
  reported: Reported,
  message: MessageProgress,
  { report, providerMessageId }: MessageEvent & { kind: "call" },
): Promise<void> {
  const status = await proveTaken(reported, message, providerMessageId);
  if (report.stage !== "ENDED") return noteCallStage(reported, message, report.stage);
  if (await endCall(reported, { ...message, status }, report)) await endDispatch(reported.tx, message.messageId);
}

/** Any receipt proves that the message was taken, even if the submission's own answer is still in doubt. */
export async function proveTaken(
  reported: Reported,
  message: MessageProgress,
  providerMessageId: string,
): Promise<MessageStatus> {
  if (!canMove("message", message.status, "SENT")) return message.status;
  await markTaken(reported, message, providerMessageId);
  await awaitReceipt(reported.tx, message, reported.now + PATIENCE_MS);
  return "SENT";
}

/** Notes the event; false if it was recorded before. */
export function isNew({ tx, provider, now }: Reported, { eventId }: { readonly eventId: string }): Promise<boolean> {
  return insertProviderEvent(tx, { provider, eventId, now });
}
