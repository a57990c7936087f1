// Records the reports of providers: receipts, opt-outs, replies, stages of calls, late answers. Reports may arrive late,
// twice or out of order without changing the result: if the table of transitions does not allow a report's transition,
// another report has overtaken this one, and it is ignored.

import type { Carriers } from "../../carriers/carriers.ts";
import {
  cleanEvent,
  type DeliveryReport,
  type InboundText,
  type LateAnswer,
  type MessageEvent,
  type PartReceipt,
  type ProviderEvent,
} from "../../carriers/provider.ts";
import { noteReceivedText, type ReceivedText } from "../../domain/callbacks/event-rows.ts";
import { collectChanges, concludeChanges } from "../../domain/calls/progress.ts";
import { findCall } from "../../domain/calls/rows.ts";
import { insertProviderEvent, listTextCarriers, servesTenant } from "../../domain/carriers/rows.ts";
import { readKeyword } from "../../domain/consent/rules.ts";
import { maskContact, type RecipientDigest, readErasedRecipient } from "../../domain/contacts.ts";
import { recordOptOut } from "../../domain/messages/consents.ts";
import { type ReplyEffect, receiveReply } from "../../domain/messages/inbound-replies.ts";
import { awaitReceipt, endDispatch, endDispatches, submitAgain } from "../../domain/messages/outbox-rows.ts";
import {
  countAttempts,
  findLastProvider,
  findMessageProgress,
  findStandings,
  type MessageProgress,
  type Move,
  quotaKeyOf,
  type Standing,
  saveSending,
  saveStatuses,
} from "../../domain/messages/progress-rows.ts";
import {
  expectPart,
  findPartMessage,
  insertParts,
  listPartStatuses,
  parkReceipt,
  savePartStatus,
  takeParked,
} from "../../domain/messages/rows.ts";
import {
  boundOfConfirmations,
  callMessageId,
  confirmationId,
  joinParts,
  PATIENCE_MS,
  readCallMessageId,
  receiptDueAt,
} from "../../domain/messages/rules.ts";
import { removeBounces } from "../../domain/messages/suppression-rows.ts";
import { canSuppress } from "../../domain/messages/suppressions.ts";
import { receiveText } from "../../domain/messages/text-blocks.ts";
import {
  findTextOwner,
  keepUnmatchedText,
  listTenantsOfNumber,
  listTextContacts,
} from "../../domain/messages/text-rows.ts";
import type { PriceList, StopCoverage } from "../../domain/policies.ts";
import { canMove, canReach, type MessageStatus } from "../../domain/transitions.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import { Batcher } from "../../store/batcher.ts";
import { allEnded, inLockOrder } from "../../store/batching.ts";
import { addDoubts, isInDoubt, listHorizons } from "../../store/queue/message-rows.ts";
import type { Transaction } from "../../store/store.ts";
import { endCall, type Moment, noteCallStage } from "../calls/call-legs.ts";
import { noteCarrier } from "../provider-health.ts";
import { optOutBy, SHORTEST_RETRY_MS, type WriteOutcome } from "./outcomes.ts";
import { keepWords, markDelivery, markNotTaken, markTaken } from "./progress.ts";
import { noteBounce, noteDelivery } from "./suppression.ts";

interface Reported extends Moment {
  /** The provider's name. */
  readonly provider: string;
  /** Whether the provider can be asked what became of a message that it accepted. @default false */
  readonly isReviewed?: boolean;
}

/** Context of a report that may be a reply and need a confirmation. */
interface Replying extends Reported {
  readonly digestRecipient: RecipientDigest;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  /** Whether the provider of this name is the carrier that reported, perhaps with earlier settings. */
  readonly isOwn: (provider: string) => boolean;
}

/** Context of a report that names messages by the carrier's own ids. */
interface Ledgered extends Reported {
  readonly ledger: string;
}

/**
 * Result of recording an event. `queued`: a message was also queued. `unheard-of`: the event is about no known message.
 * `unmatched`: a text to an unknown number, which was stored. `parked`: a receipt of a part that is not known yet.
 */
export type Recorded = "recorded" | "queued" | "unheard-of" | "unmatched" | "parked";

export interface EventRecorderOptions {
  readonly write: WriteOutcome;
  readonly clock: Clock;
  readonly carriers: Pick<Carriers, "ledgerOf" | "named">;
  readonly logger: Logger;
  readonly prices: PriceList;
  readonly digestRecipient: RecipientDigest;
  readonly stopCovers?: StopCoverage | undefined;
  readonly notifyCallbacks: () => void;
}

/** Records each event in a transaction. Receipts that arrive at the same time share one. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #receipts: Batcher<ReportedReceipt, Recorded>;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    const { clock, prices, logger, write } = options;
    this.#receipts = new Batcher({
      write: (work) => write(work, "together"),
      keyOf: ({ receipt }) => receipt.clientReference,
      recordAll: (tx, reported) => recordReceipts({ tx, now: clock.now(), prices }, reported),
      recordOne: ({ provider, receipt }) => this.#recordOne(provider, receipt),
      onSplit: (error) => logger.warn({ err: error }, "failed to record a batch; recording its items one by one"),
    });
  }

  /** Records an event. Resolves when the event is durable. Returns whether a message was queued. */
  async record(provider: string, told: ProviderEvent): Promise<boolean> {
    const { logger } = this.#options;
    const event = cleanEvent(told);
    const recorded = await (event.kind === "receipt"
      ? this.#receipts.record({ provider, isReviewed: this.#isReviewed(provider), receipt: event })
      : this.#recordOne(provider, event));
    const { eventId, kind } = event;
    if (recorded === "unheard-of" || recorded === "parked") {
      logger.warn({ eventId, kind, provider, recorded }, "a provider reported an unknown message");
    }
    if (recorded === "unmatched" && event.kind === "inbound") {
      const { from, to, text } = event;
      const { word } = readKeyword(text, { optedOut: false }) ?? {};
      const details = { eventId, provider, from: maskContact(from), to, word };
      logger.warn(details, "stored a text sent to a number that no merchant or carrier has");
    }
    return recorded === "queued";
  }

  async #recordOne(provider: string, event: ProviderEvent): Promise<Recorded> {
    const { write, clock, prices, digestRecipient, stopCovers, carriers, notifyCallbacks } = this.#options;
    const isReceipt = event.kind === "receipt" || event.kind === "part-receipt";
    const ledger = carriers.ledgerOf(provider);
    const isOwn = (name: string) => carriers.ledgerOf(name) === ledger;
    const { recorded, hasCallbacks } = await write(
      async (tx) => {
        const moment = { tx, now: clock.now(), prices, changes: collectChanges() };
        const isReviewed = this.#isReviewed(provider);
        const reported = { digestRecipient, stopCovers, ...moment, provider, isReviewed, ledger, isOwn };
        const recorded = await recordAny(reported, event);
        return { recorded, hasCallbacks: await concludeChanges(moment) };
      },
      isReceipt ? "together" : undefined,
    );
    if (hasCallbacks) notifyCallbacks();
    return recorded;
  }

  #isReviewed(provider: string): boolean {
    return this.#options.carriers.named(provider)?.review !== undefined;
  }
}

function recordAny(reported: Replying & Ledgered, event: ProviderEvent): Promise<Recorded> {
  if (event.kind === "part-receipt") return recordPartReceipt(reported, event);
  if (event.kind === "inbound") return recordInbound(reported, event);
  if (event.kind === "late-answer") return recordLateAnswer(reported, event);
  return recordEvent(reported, event);
}

/** Records one event once, even if it is reported repeatedly. Throws {@link ReportedTooEarly}. */
export async function recordEvent(reported: Replying, event: MessageEvent): Promise<Recorded> {
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
    case "reply": {
      if (!(await isNew(reported, event))) return "recorded";
      const { tenantId, merchantId, messageId, recipient: from } = message;
      const told = { tenantId, merchantId, messageId, from, to: null, text: event.text };
      return recordReply(reported, event.eventId, told, (context) => receiveReply(context, message, event.text));
    }
  }
}

/** A message's receipt, and the name of the provider that reported it. */
export interface ReportedReceipt extends Pick<Reported, "provider" | "isReviewed"> {
  readonly receipt: Receipt;
}

type Receipt = MessageEvent & { readonly kind: "receipt" };

/** Records the receipts of many messages, one receipt per message. Throws {@link ReportedTooEarly}. */
export async function recordReceipts(moment: Moment, reported: readonly ReportedReceipt[]): Promise<Recorded[]> {
  const { tx, now } = moment;
  const found = await findStandings(
    tx,
    reported.map(({ receipt }) => receipt.clientReference),
  );
  const ends: Move[] = [];
  const others: ReportedReceipt[] = [];
  for (const one of reported) {
    const message = found.get(one.receipt.clientReference);
    if (message === undefined) continue;
    const end = endOf(message, one.receipt);
    if (end !== undefined) ends.push(end);
    else others.push(one);
  }
  // Receipts are recorded one after another: two concurrent receipts of the same quota would both use outdated values.
  const inOrder = inLockOrder(await findMessages(tx, others), ({ message }) => quotaKeyOf(message));
  for (const { message, receipt, ...by } of inOrder) await recordReceipt({ ...moment, ...by }, message, receipt);
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

/**
 * Returns the final state change of a message that is already recorded as accepted. Returns undefined if the receipt needs
 * full processing.
 */
function endOf(message: Standing, { status, reason, detail, isPermanent = false }: Receipt): Move | undefined {
  if (message.status !== "SENT" || status === "SENT" || detail !== undefined) return undefined;
  // the recipient is suppressed, or no longer
  const { channel } = message;
  if (status === "DELIVERED" ? message.hasBounced === 1 : canSuppress({ channel, reason, isPermanent }))
    return undefined;
  return canMove("message", message.status, status) ? { message, status, deliveryReason: reason } : undefined;
}

/**
 * Records a text from a phone. The text answers the last message sent to the phone from that number, through any
 * carrier. Its effect covers every merchant that has sent to the phone from the number. A text to an unknown number is
 * stored, and so is a text to another tenant's number, unless it says STOP: whoever has the account of a tenant's own
 * carrier may report any text.
 */
async function recordInbound(reported: Replying, event: InboundText): Promise<Recorded> {
  const { tx, now, provider, digestRecipient, stopCovers } = reported;
  const { eventId, from: phone, to: sender, text, isAnswered } = event;
  if (!(await isNew(reported, event))) return "recorded";
  const all = await listTextContacts(tx, sender, phone);
  const tenantIds = all.length > 0 ? all.map(({ tenantId }) => tenantId) : await listTenantsOfNumber(tx, sender);
  const served = saysStop(text) ? new Set(tenantIds) : await findServed(reported, new Set(tenantIds));
  const contacts = all.filter(({ tenantId }) => served.has(tenantId));
  const [last] = contacts;
  const told = { from: phone, to: sender, text };
  const isForeign = served.size === 0 && tenantIds.length > 0;
  if (last === undefined && !isForeign) {
    const owner = await findTextOwner(tx, { number: sender, carrier: provider });
    if (owner !== undefined)
      await noteReceivedText(tx, { ...told, ...owner, messageId: null, action: "RECEIVED" }, now);
  }
  if (served.size === 0) {
    await keepUnmatchedText(tx, { carrier: provider, eventId, sender, phone, content: text }, now);
    return "unmatched";
  }
  // the text proves that the number exists
  for (const tenantId of new Set(contacts.map(({ tenantId }) => tenantId))) {
    await removeBounces(tx, { tenantId, contact: phone });
  }
  const conversation = { sender, phone, contacts };
  if (last !== undefined) {
    const { tenantId, merchantId, messageId } = last;
    return recordReply(reported, eventId, { ...told, tenantId, merchantId, messageId }, (context) =>
      receiveText({ ...context, isAnswered }, conversation, text),
    );
  }
  const changedBy = `provider:${provider}`;
  const context = { tx, now, confirmationId: "", changedBy, digestRecipient, stopCovers, isAnswered };
  await receiveText(context, conversation, text);
  return "recorded";
}

function saysStop(text: string): boolean {
  return readKeyword(text, { optedOut: false })?.action === "OPT_OUT";
}

/** Returns the tenants that the reporting carrier serves, or that have a carrier with the same account. */
async function findServed(
  { tx, provider, isOwn }: Replying,
  tenantIds: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  const served = new Set<number>();
  for (const tenantId of tenantIds) {
    const isServed = await servesTenant(tx, provider, tenantId);
    if (isServed || (await listTextCarriers(tx, tenantId)).some(isOwn)) served.add(tenantId);
  }
  return served;
}

/**
 * Returns whether a report of a call counts. A tenant's own switch may report any call id, so the call must be recorded as
 * placed through the reporting switch. A restored database may lack that record. Then any switch that serves the tenant
 * may report the call, unless another switch is recorded as having accepted it.
 */
async function wasGivenTo(
  reported: Replying,
  { messageId, tenantId, channel, status }: MessageProgress,
): Promise<boolean> {
  const { tx, now, provider, isOwn } = reported;
  if (channel !== "VOICE") return false;
  const onRecord = await findLastProvider(tx, messageId);
  if (onRecord !== undefined && isOwn(onRecord)) return true;
  if (status !== "SENDING" && status !== "UNKNOWN") return false;
  if (!(await mayBeBehind(reported, messageId)) || !(await servesTenant(tx, provider, tenantId))) return false;
  await saveSending(tx, { messageId, status, provider, now });
  return true;
}

/** Returns whether this carrier may have got the call before the database was restored. */
async function mayBeBehind({ tx, isOwn }: Replying, messageId: string): Promise<boolean> {
  const requestId = readCallMessageId(messageId);
  return (await listHorizons(tx)).some(
    ({ carrier, lastRequestId, lastMessageId }) =>
      (carrier === null || isOwn(carrier)) &&
      (messageId <= lastMessageId || (requestId !== undefined && requestId <= lastRequestId)),
  );
}

/**
 * Runs `receive` on a reply, which may queue a confirmation, and tells the tenant of the reply. After a restore, that
 * confirmation may already have been sent.
 */
async function recordReply(
  { tx, now, provider, digestRecipient, stopCovers }: Replying,
  eventId: string,
  reply: Omit<ReceivedText, "action" | "messageId"> & { readonly messageId: string },
  receive: (context: Parameters<typeof receiveReply>[0]) => Promise<ReplyEffect | undefined>,
): Promise<Recorded> {
  const { messageId: repliedTo } = reply;
  const messageId = confirmationId({ provider, eventId, repliedTo });
  // the reply was reported again so late that its event had been pruned
  if ((await findMessageProgress(tx, messageId)) !== undefined) return "recorded";
  const changedBy = `provider:${provider}`;
  const effect = await receive({ tx, now, confirmationId: messageId, changedBy, digestRecipient, stopCovers });
  if (readErasedRecipient(reply.from) === undefined) {
    await noteReceivedText(tx, { ...reply, action: effect?.status ?? "RECEIVED" }, now);
  }
  if (effect?.isConfirmed !== true) return "recorded";
  const horizons = await listHorizons(tx);
  const doubted = horizons.filter(({ lastMessageId: at }) => at !== "" && repliedTo < boundOfConfirmations(at));
  await addDoubts(tx, messageId, doubted);
  return "queued";
}

async function recordReceipt(
  reported: Reported,
  message: MessageProgress,
  {
    providerMessageId,
    status: to,
    reason,
    detail,
    isPermanent,
    hasUnknownState = false,
  }: DeliveryReport & Pick<PartReceipt, "hasUnknownState"> & { readonly providerMessageId: string },
): Promise<void> {
  await refuseWhileInDoubt(reported.tx, message);
  const status = await proveTaken(reported, message, providerMessageId);
  const isFailure = to === "UNDELIVERED" || to === "EXPIRED";
  const isShown = hasUnknownState ? canMove("message", status, "DELIVERED") : isFailure;
  if (detail !== undefined && isShown) await keepWords(reported, message, detail);
  if (to === "SENT" || !canMove("message", status, to)) return;
  await markDelivery(reported, { ...message, status }, to, reason);
  if (to === "DELIVERED") await noteDelivery(reported, message);
  else await noteBounce(reported, message, { reason, isPermanent });
  await endDispatch(reported.tx, message.messageId);
}

async function recordCallReport(
  reported: Reported,
  message: MessageProgress,
  { report, providerMessageId }: MessageEvent & { kind: "call" },
): Promise<void> {
  const taken = { ...message, status: await proveTaken(reported, message, providerMessageId) };
  const hasEnded =
    report.stage === "ENDED"
      ? await endCall(reported, taken, report)
      : await noteCallStage(reported, taken, report.stage);
  if (hasEnded) await endDispatch(reported.tx, message.messageId);
}

/** Any receipt proves that the carrier accepted the message, even if the submission's answer is still in doubt. */
async function proveTaken(
  reported: Reported,
  message: MessageProgress,
  providerMessageId: string,
): Promise<MessageStatus> {
  if (!canMove("message", message.status, "SENT")) return message.status;
  await markTaken(reported, message, providerMessageId);
  const { tx, now, isReviewed } = reported;
  await awaitReceipt(tx, message, { dueAt: receiptDueAt(now, isReviewed), giveUpAt: now + PATIENCE_MS });
  return "SENT";
}

/** Records the event. Returns false if it was recorded before. */
function isNew({ tx, provider, now }: Reported, { eventId }: { readonly eventId: string }): Promise<boolean> {
  return insertProviderEvent(tx, { provider, eventId, now });
}

/**
 * Records one late answer once, even if it is reported repeatedly. A message that was given up stays UNKNOWN until
 * receipts of its parts settle it. Throws {@link ReportedTooEarly}.
 */
export async function recordLateAnswer(reported: Ledgered, event: LateAnswer): Promise<Recorded> {
  const { tx, now, provider } = reported;
  const { answer } = event;
  const message = await findMessageProgress(tx, event.clientReference);
  if (message === undefined) return "unheard-of";
  const isUnanswered = message.status === "SENDING" && message.openAttempt === null;
  const isAwaited = isUnanswered && (await countAttempts(tx, message.messageId)) === event.attempt;
  // Nothing to do: a receipt has proved that the message was accepted, or the message was given up and charged, or it will
  // be submitted again.
  if (!isAwaited && answer.outcome !== "taken") return "recorded";
  await refuseWhileInDoubt(tx, message);
  if (!(await isNew(reported, event))) return "recorded";
  if (isAwaited) reached("a late answer settled a message in doubt");
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
  if (answer.outcome === "refused") {
    if (answer.isOptOut) await recordOptOut(reported, message, optOutBy(provider, "OPT_OUT"));
    await noteBounce(reported, message, answer);
  }
  return "recorded";
}

/** Records the carrier's ids of a message's parts, and the parts' receipts that arrived before this answer. */
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

/** Records a receipt of a part. Parks it if it arrived before the answer to the submission. */
async function recordPartReceipt(reported: Ledgered, receipt: PartReceipt): Promise<Recorded> {
  const { tx, now, ledger: provider } = reported;
  const { part, eventId, status, reason, detail, hasUnknownState = false, coversAllParts = false } = receipt;
  const messageId = await findPartMessage(tx, { provider, part });
  if (messageId === undefined) {
    // Writes that share a transaction must not park a receipt: it may wait for another transaction, and that one may be
    // waiting for one of the other writes.
    tx.requireAlone("a receipt of a part that is not known");
    if (!(await expectPart(tx, { provider, part }, now))) return recordPartReceipt(reported, receipt);
    await parkReceipt(tx, { provider, part, eventId, receipt: JSON.stringify(receipt), now });
    return "parked";
  }
  // locks the message before reading its parts, against concurrent receipts of its other parts
  await findMessageProgress(tx, messageId);
  if (status !== "SENT") await savePartStatus(tx, { provider, part }, status);
  const joined = coversAllParts ? status : joinParts(await listPartStatuses(tx, messageId));
  // read again: a receipt of another part in the same batch may have changed the message
  const message = await findMessageProgress(tx, messageId);
  if (message === undefined) return "unheard-of";
  const words = detail === undefined ? {} : { detail };
  const report = { status: joined, reason: joined === status ? reason : null, ...words };
  await recordReceipt(reported, message, { providerMessageId: part, hasUnknownState, ...report });
  return "recorded";
}

/**
 * Thrown for an event about a message that is still queued in a restored database. The provider reports the event again.
 * Until then the message is looked up at its carrier, and counts as accepted.
 */
export class ReportedTooEarly extends Error {
  override readonly name = "ReportedTooEarly";

  constructor(messageId: string) {
    super(`${messageId} must be looked up at its carrier first; its reports are recorded after that`);
  }
}

/** Throws {@link ReportedTooEarly} if the message must still be looked up at its provider. */
async function refuseWhileInDoubt(
  tx: Transaction,
  { messageId, status }: Pick<MessageProgress, "messageId" | "status">,
): Promise<void> {
  if (status === "QUEUED" && (await isInDoubt(tx, messageId))) refuse(messageId);
}

/** Throws {@link ReportedTooEarly} if this id belongs to a call that has no message yet but may already have been dialled. */
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
  reached("a report about a message in doubt was refused");
  throw new ReportedTooEarly(messageId);
}
