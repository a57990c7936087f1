// Records what a provider reports on its own: receipts, opt-outs, replies, stages of calls, late answers. Reports may come late,
// twice or out of order, and still converge: a move missing from the transition table is one that was overtaken.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import type { PriceList } from "../../rules/billing.ts";
import { readKeyword, type StopCoverage } from "../../rules/consent.ts";
import { maskContact, type RecipientDigest } from "../../rules/contacts.ts";
import {
  boundOfConfirmations,
  callMessageId,
  confirmationId,
  joinParts,
  PATIENCE_MS,
  readCallMessageId,
} from "../../rules/messages.ts";
import { canMove, canReach, type MessageStatus } from "../../rules/transitions.ts";
import { collectChanges, concludeChanges } from "../../steps/call-progress.ts";
import { recordOptOut } from "../../steps/consents.ts";
import { receiveReply } from "../../steps/inbound-replies.ts";
import { receiveText } from "../../steps/text-blocks.ts";
import { allEnded, inLockOrder } from "../../store/batching.ts";
import { findCall } from "../../store/calls.ts";
import { insertProviderEvent } from "../../store/carriers.ts";
import {
  countAttempts,
  findLastProvider,
  findMessageProgress,
  findStandings,
  type MessageProgress,
  type Move,
  quotaKeyOf,
  type Standing,
  saveStatuses,
} from "../../store/message-progress.ts";
import { addDoubts, type Horizon, isInDoubt, listHorizons } from "../../store/message-rows.ts";
import {
  expectPart,
  findPartMessage,
  insertParts,
  listPartStatuses,
  parkReceipt,
  savePartStatus,
  takeParked,
} from "../../store/messages.ts";
import { awaitReceipt, endDispatch, endDispatches, submitAgain } from "../../store/outbox.ts";
import type { Transaction } from "../../store/store.ts";
import { isOwnNumber, keepUnmatchedText, listTextContacts } from "../../store/text-lines.ts";
import { endCall, noteCallStage } from "../calls/call-legs.ts";
import type { Carriers } from "../carriers/carriers.ts";
import { noteCarrier } from "../provider-health.ts";
import {
  cleanEvent,
  type DeliveryReport,
  type InboundText,
  type LateAnswer,
  type MessageEvent,
  type PartReceipt,
  type ProviderEvent,
} from "../providers/provider.ts";
import { Gathering } from "./gathering.ts";
import { optOutBy, SHORTEST_RETRY_MS, type WriteOutcome } from "./outcomes.ts";
import { keepWords, type Moment, markDelivery, markNotTaken, markTaken } from "./progress.ts";

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

/** A report of a carrier whose ledger of ids is known, however often the carrier was set. */
export interface Ledgered extends Replying {
  readonly ledger: string;
}

/** A report of a provider whose own messages are known. */
export interface ReportedOfOwn extends Replying {
  /** Whether a provider of this name is the same one, perhaps as it was set before. */
  readonly isOwn: (provider: string) => boolean;
}

/**
 * The result of recording an event. `queued`: it also queued a message. `unheard-of`: it is about no message here. `unmatched`: it
 * is a text to a number that is nobody's here, and was kept.
 */
export type Recorded = "recorded" | "queued" | "unheard-of" | "unmatched";

export interface EventRecorderOptions {
  readonly write: WriteOutcome;
  readonly clock: Clock;
  readonly carriers: Pick<Carriers, "ledgerOf">;
  readonly logger: Logger;
  readonly prices: PriceList;
  readonly digestRecipient: RecipientDigest;
  readonly stopCovers?: StopCoverage | undefined;
  readonly notifyCallbacks: () => void;
}

/** Records each event in a transaction; receipts that come at one time share one. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #receipts: Gathering<ReportedReceipt, Recorded | "parked">;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    const { clock, prices, logger, write } = options;
    this.#receipts = new Gathering({
      write: (work) => write(work, "together"),
      keyOf: ({ receipt }) => receipt.clientReference,
      recordAll: (tx, reported) => recordReceipts({ tx, now: clock.now(), prices }, reported),
      recordOne: ({ provider, receipt }) => this.#recordOne(provider, receipt),
      onSplit: (error) =>
        logger.warn({ err: error }, "a group was not recorded as a whole: each of it is recorded by itself"),
    });
  }

  /** Records an event; resolves once that is durable. Returns whether it queued a message. */
  async record(provider: string, told: ProviderEvent): Promise<boolean> {
    const { logger } = this.#options;
    const event = cleanEvent(told);
    const recorded = await (event.kind === "receipt"
      ? this.#receipts.record({ provider, receipt: event })
      : this.#recordOne(provider, event));
    const { eventId, kind } = event;
    if (recorded === "unheard-of" || recorded === "parked") {
      logger.warn({ eventId, kind, provider, recorded }, "a provider told of a message that is not known here");
    }
    if (recorded === "unmatched" && event.kind === "inbound") {
      const { from, to, text } = event;
      const { word } = readKeyword(text, { optedOut: false }) ?? {};
      const details = { eventId, provider, from: maskContact(from), to, word };
      logger.warn(details, "a text came to a number that no merchant or carrier here has; it is kept");
    }
    return recorded === "queued";
  }

  async #recordOne(provider: string, event: ProviderEvent): Promise<Recorded | "parked"> {
    const { write, clock, prices, digestRecipient, stopCovers, carriers, notifyCallbacks } = this.#options;
    const isReceipt = event.kind === "receipt" || event.kind === "part-receipt";
    const ledger = carriers.ledgerOf(provider);
    const isOwn = (name: string) => carriers.ledgerOf(name) === ledger;
    const { recorded, hasCallbacks } = await write(
      async (tx) => {
        const moment = { tx, now: clock.now(), prices, changes: collectChanges() };
        const reported = { digestRecipient, stopCovers, ...moment, provider, ledger, isOwn };
        return { recorded: await recordAny(reported, event), hasCallbacks: await concludeChanges(moment) };
      },
      isReceipt ? "together" : undefined,
    );
    if (hasCallbacks) notifyCallbacks();
    return recorded;
  }
}

function recordAny(reported: ReportedOfOwn & Ledgered, event: ProviderEvent): Promise<Recorded | "parked"> {
  if (event.kind === "part-receipt") return recordPartReceipt(reported, event);
  if (event.kind === "inbound") return recordInbound(reported, event);
  if (event.kind === "late-answer") return recordLateAnswer(reported, event);
  return recordEvent(reported, event);
}

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
async function recordInbound(reported: Replying, event: InboundText): Promise<Recorded> {
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

/** A tenant's own switch may report any call id, so its reports count only for calls placed through it. */
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
async function proveTaken(
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
function isNew({ tx, provider, now }: Reported, { eventId }: { readonly eventId: string }): Promise<boolean> {
  return insertProviderEvent(tx, { provider, eventId, now });
}

/**
 * Records one late answer, once, however often it is reported. A message that was given up stays UNKNOWN, and receipts of its
 * parts settle it. Throws a {@link ReportedTooEarly}.
 */
export async function recordLateAnswer(reported: Ledgered, event: LateAnswer): Promise<Recorded> {
  const { tx, now, provider } = reported;
  const { answer } = event;
  const message = await findMessageProgress(tx, event.clientReference);
  if (message === undefined) return "unheard-of";
  const isAwaited = isUnanswered(message) && (await countAttempts(tx, message.messageId)) === event.attempt;
  // a receipt proved that it was taken, it was given up and charged, or it is to be submitted again
  if (!isAwaited && answer.outcome !== "taken") return "recorded";
  await refuseWhileInDoubt(tx, message);
  if (!(await isNew(reported, event))) return "recorded";
  if (isAwaited) reached("an answer that came late ended a doubt");
  if (answer.outcome === "taken") {
    await proveTaken(reported, message, answer.providerMessageId);
    await recordParts(reported, message, answer.parts ?? []);
    return "recorded";
  }
  const { messageId } = message;
  const hasFailed = answer.outcome !== "refused";
  await noteCarrier({ tx, now, provider, served: message, occurrence: messageId }, hasFailed);
  if (answer.detail !== undefined) await keepWords(reported, message, answer.detail);
  if (answer.outcome === "deferred") {
    const dueAt = now + Math.max(answer.retryAfterMs, SHORTEST_RETRY_MS);
    return (await submitAgain(tx, messageId, { dueAt, now })) ? "queued" : "recorded";
  }
  const reason = answer.outcome === "refused" ? answer.reason : "CARRIER_UNKNOWN";
  await markNotTaken(reported, message, "FAILED", reason);
  await endDispatch(tx, messageId);
  if (answer.outcome === "refused" && answer.isOptOut) {
    await recordOptOut(reported, message, optOutBy(provider, "OPT_OUT"));
  }
  return "recorded";
}

/** Whether it was handed over, and nobody knows what became of it. */
function isUnanswered({ status, openAttempt }: MessageProgress): boolean {
  return status === "SENDING" && openAttempt === null;
}

// Carriers that report by ids of their own report part by part. A receipt that comes before the answer to its submission is kept
// until that is recorded.

/** Records by which ids the carrier took a message, and what it has reported of them already. */
export async function recordParts(
  reported: Ledgered,
  { messageId }: { messageId: string },
  parts: readonly string[],
): Promise<void> {
  const { tx, now, ledger: provider } = reported;
  await insertParts(tx, { provider, parts, messageId, now });
  for (const part of parts) {
    for (const receipt of await takeParked(tx, { provider, part })) {
      await recordPartReceipt(reported, JSON.parse(receipt));
    }
  }
}

/** Records a receipt of a part; `parked` if nobody knows yet what it is of. */
async function recordPartReceipt(reported: Ledgered, receipt: PartReceipt): Promise<Recorded | "parked"> {
  const { tx, now, ledger: provider } = reported;
  const { part, eventId, status, reason, detail } = receipt;
  const messageId = await findPartMessage(tx, { provider, part });
  if (messageId === undefined) {
    // it may have to wait for a transaction that waits for others of this one
    tx.requireAlone("a receipt of a part that is not known");
    if (!(await expectPart(tx, { provider, part }, now))) return recordPartReceipt(reported, receipt);
    await parkReceipt(tx, { provider, part, eventId, receipt: JSON.stringify(receipt), now });
    return "parked";
  }
  // holds it, as whoever reports another part of it does
  await findMessageProgress(tx, messageId);
  if (status !== "SENT") await savePartStatus(tx, { provider, part }, status);
  const joined = joinParts(await listPartStatuses(tx, messageId));
  // the ids of parts are the provider's own already
  const ofOwn = { ...reported, isOwn: () => true };
  return recordEvent(ofOwn, {
    kind: "receipt",
    eventId,
    clientReference: messageId,
    providerMessageId: part,
    status: joined,
    reason: joined === status ? reason : null,
    ...(detail === undefined ? {} : { detail }),
  });
}

/**
 * The event is not recorded, so that its provider reports it again: a database that was put back takes the message for one that
 * waits. Its provider is asked about it first, and with the answer it counts as taken.
 */
export class ReportedTooEarly extends Error {
  override readonly name = "ReportedTooEarly";

  constructor(messageId: string) {
    super(`${messageId} is still to be asked about: what is reported of it is recorded after that`);
  }
}

/** Throws a {@link ReportedTooEarly} if the message's provider is still to be asked about it. */
async function refuseWhileInDoubt(
  tx: Transaction,
  { messageId, status }: Pick<MessageProgress, "messageId" | "status">,
): Promise<void> {
  if (status === "QUEUED" && (await isInDoubt(tx, messageId))) refuse(messageId);
}

/** Throws a {@link ReportedTooEarly} if a call that may have been dialled already will have this message. */
export async function refuseBeforeCall(tx: Transaction, messageId: string): Promise<void> {
  const requestId = readCallMessageId(messageId);
  if (requestId === undefined) return;
  const horizons = await listHorizons(tx);
  if (!horizons.some(({ lastRequestId }) => requestId <= lastRequestId)) return;
  const call = await findCall(tx, requestId);
  if (call === undefined || callMessageId(call) !== messageId || !canReach("ttsCall", call.status, "DIALING")) return;
  refuse(messageId);
}

function refuse(messageId: string): never {
  reached("what is reported of a message in doubt is to be reported again");
  throw new ReportedTooEarly(messageId);
}
