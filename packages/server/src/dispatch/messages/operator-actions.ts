// Actions that an operator runs beside the servers: cancels waiting messages and calls, and settles messages whose
// outcome the carrier does not report.

import { defaultPrices } from "../../domain/billing/rules.ts";
import { collectChanges, concludeChanges } from "../../domain/calls/progress.ts";
import { type CallRow, findCall, findRequestOf, lockCall } from "../../domain/calls/rows.ts";
import { queuedMessagesQuery, undialledCallsQuery, undialledStates } from "../../domain/messages/list-rows.ts";
import { endDispatch, lockInOutbox, withdraw } from "../../domain/messages/outbox-rows.ts";
import {
  findMessageProgress,
  lockMessage,
  type MessageProgress,
  quotaKeyOf,
} from "../../domain/messages/progress-rows.ts";
import { callMessageId, readCallMessageId } from "../../domain/messages/rules.ts";
import { noteDecision } from "../../domain/tenancy/operator-audit.ts";
import { canMove, type MessageStatus } from "../../domain/transitions.ts";
import { reached } from "../../platform/probes.ts";
import { allEnded, inLockOrder } from "../../store/batching.ts";
import { isInDoubt, listHorizons } from "../../store/queue/message-rows.ts";
import { readRows, type Transaction } from "../../store/store.ts";
import { cancelUndialled } from "../calls/call-jobs.ts";
import { keepWords, markCanceled, markDelivery, markNotTakenAfterAll } from "./progress.ts";

/** Maximum number of messages that one transaction cancels. */
export const CANCELED_AT_ONCE = 50;

/** Result of a cancellation. */
export interface Cancellation {
  readonly canceled: number;
  /** Number of messages that had already been handed over, or had ended. */
  readonly left: number;
  /** Number of messages not canceled because a carrier may have got them before a restore. They are looked up first. */
  readonly inDoubt: number;
}

/**
 * Lists the ids of a tenant's waiting messages, at most `most`. For a call without a message, lists the id that its
 * message will get.
 */
export async function listQueued(tx: Transaction, tenantId: number, most: number): Promise<string[]> {
  const messages = await readRows(tx, queuedMessagesQuery(tenantId), most);
  const calls = await readRows(tx, undialledCallsQuery(tenantId), most - messages.length);
  return [
    ...messages.map(({ messageId }) => messageId),
    ...calls.map(({ messageId, ...call }) => messageId ?? callMessageId(call)),
  ];
}

/** A locked call or message that still waits. */
type Waiting = { readonly call: CallRow } | { readonly message: MessageProgress };

/**
 * Cancels each of the messages that still waits when it is locked. Pass at most `CANCELED_AT_ONCE` ids. `words` are
 * stored with the messages as the explanation, where otherwise a carrier's explanation is stored.
 */
export async function cancelQueued(
  tx: Transaction,
  messageIds: readonly string[],
  { words, now }: { words: string; now: number },
): Promise<Cancellation> {
  const lastInDoubt = Math.max(0, ...(await listHorizons(tx)).map(({ lastRequestId }) => lastRequestId));
  const inOrder = inLockOrder(messageIds, (messageId) => [messageId]);
  const found = await allEnded(inOrder.map((messageId) => hold(tx, messageId, lastInDoubt)));
  const waiting = found.filter((one) => typeof one !== "string");
  const changes = collectChanges();
  const moment = { tx, now, prices: defaultPrices, changes };
  for (const one of inLockOrder(waiting, quotaOf)) {
    if ("call" in one) {
      reached("a call was canceled before it was dialled");
      await cancelUndialled(moment, one.call);
    } else {
      reached("a waiting message was canceled");
      await withdraw(tx, one.message.messageId);
      await markCanceled(moment, one.message);
      await keepWords(moment, one.message, words);
    }
  }
  await concludeChanges(moment);
  const count = (what: "left" | "in doubt") => found.filter((one) => one === what).length;
  return { canceled: waiting.length, left: count("left"), inDoubt: count("in doubt") };
}

async function hold(tx: Transaction, messageId: string, lastInDoubt: number): Promise<Waiting | "left" | "in doubt"> {
  const requestId = (await findRequestOf(tx, messageId)) ?? readCallMessageId(messageId);
  const isUndialled = (call: CallRow | undefined) => call !== undefined && undialledStates.includes(call.status);
  if (requestId !== undefined && isUndialled(await findCall(tx, requestId))) {
    const call = await lockCall(tx, requestId);
    if (call === undefined || !isUndialled(call)) return "left";
    return call.requestId <= lastInDoubt ? "in doubt" : { call };
  }
  lockMessage(tx, messageId);
  lockInOutbox(tx, messageId);
  const message = await findMessageProgress(tx, messageId);
  if (message === undefined || !canMove("message", message.status, "CANCELED")) return "left";
  if (!(await isInDoubt(tx, messageId))) return { message };
  reached("a message to be canceled is in doubt");
  return "in doubt";
}

function quotaOf(one: Waiting) {
  return "call" in one ? quotaKeyOf({ ...one.call, channel: "VOICE" }) : quotaKeyOf(one.message);
}

export interface OperatorsWord {
  readonly messageId: string;
  readonly status: "DELIVERED" | "UNDELIVERED" | "FAILED";
  /** Evidence, such as a ticket number. */
  readonly reason: string;
  /** Name of the operator. */
  readonly by: string;
  readonly now: number;
}

/**
 * Records how a message ended. `isRepeat`: it had already ended this way, and nothing changes. Throws an error with
 * text for the operator if the carrier will report the end, or if the message has ended otherwise.
 */
export async function recordOperatorsWord(
  tx: Transaction,
  word: OperatorsWord,
): Promise<{ readonly before: MessageStatus; readonly isRepeat: boolean; readonly tenantId: number }> {
  const { messageId, status, reason, by, now } = word;
  const message = await findMessageProgress(tx, messageId);
  if (message === undefined) throw new Error(`there is no message ${messageId}: list messages with msgd messages list`);
  const { status: before, tenantId } = message;
  if (before === status) return { before, isRepeat: true, tenantId };
  const obstacle = findObstacle(message, status);
  if (obstacle !== undefined) throw new Error(`message ${messageId} ${obstacle}`);
  const moment = { tx, now, prices: defaultPrices };
  if (status === "FAILED") await markNotTakenAfterAll(moment, message, "CARRIER_UNKNOWN");
  else await markDelivery(moment, message, status, status === "DELIVERED" ? null : "CARRIER_UNKNOWN");
  await endDispatch(tx, messageId);
  await keepWords(moment, message, `settled by the operator: ${reason}`);
  const target = `messageId ${messageId}, ${before} to ${status}, reason ${reason}`;
  await noteDecision(tx, { tenantId, by, now, operation: "messages settle", target });
  return { before, isRepeat: false, tenantId };
}

function findObstacle({ status, channel }: MessageProgress, to: OperatorsWord["status"]): string | undefined {
  switch (status) {
    case "QUEUED":
      return "is QUEUED: it waits and no carrier has it; cancel it with msgd messages cancel";
    case "SENDING":
      return "is SENDING: its carrier is asked for up to 72 hours; if it then becomes UNKNOWN, it can be settled";
    case "SENT":
      if (channel === "VOICE") return "is SENT: its carrier will report how the call ended and how long it lasted";
      break;
    default:
  }
  if (canMove("message", status, to)) return undefined;
  return status === "SENT"
    ? "is SENT: its carrier accepted it, so it can be settled only as delivered or undelivered"
    : `is already ${status}, which is final`;
}
