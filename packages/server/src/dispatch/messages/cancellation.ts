// Takes messages and calls out of their queues before anybody is given them, beside servers that hand others over.

import { reached } from "../../platform/probes.ts";
import { callMessageId, readCallMessageId } from "../../rules/message-ids.ts";
import { defaultPrices } from "../../rules/prices.ts";
import { canMove } from "../../rules/transitions.ts";
import { collectChanges, concludeChanges } from "../../steps/call-progress.ts";
import { allEnded } from "../../store/all-ended.ts";
import { type CallRow, findCall, findRequestOf, holdCall } from "../../store/calls.ts";
import { isInDoubt, listHorizons } from "../../store/doubts.ts";
import { inLockOrder } from "../../store/lock-order.ts";
import { findMessageProgress, holdMessage, type MessageProgress, quotaKeyOf } from "../../store/message-progress.ts";
import { holdInOutbox, withdraw } from "../../store/outbox.ts";
import { queuedMessagesQuery, undialledCallsQuery, undialledStates } from "../../store/queued-messages.ts";
import { readRows, type Transaction } from "../../store/store.ts";
import { cancelUndialled } from "../calls/steps.ts";
import { keepWords, markCanceled } from "./progress.ts";

/** Messages that one transaction cancels, within a few milliseconds. */
export const CANCELED_AT_ONCE = 50;

/** Outcome of a cancellation. */
export interface Cancellation {
  readonly canceled: number;
  /** How many were handed over, or ended otherwise, before. */
  readonly left: number;
  /** How many a carrier may have been given, unknown to this database: it is asked before anything else. */
  readonly inDoubt: number;
}

/** Lists the ids of a tenant's waiting messages, at most `most`. A call that has no message yet is listed by the id it will have. */
export async function listQueued(tx: Transaction, tenantId: number, most: number): Promise<string[]> {
  const messages = await readRows(tx, queuedMessagesQuery(tenantId), most);
  const calls = await readRows(tx, undialledCallsQuery(tenantId), most - messages.length);
  return [
    ...messages.map(({ messageId }) => messageId),
    ...calls.map(({ messageId, ...call }) => messageId ?? callMessageId(call)),
  ];
}

/** A call or message that is held, and waits. */
type Waiting = { readonly call: CallRow } | { readonly message: MessageProgress };

/**
 * Cancels those of the messages, `CANCELED_AT_ONCE` at most, that still wait once they are held. Calls go by the ids of their messages,
 * also before they have one.
 *
 * @param words say why, in the place of a carrier's
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
      reached("a message was canceled as it waited");
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
    const call = await holdCall(tx, requestId);
    if (call === undefined || !isUndialled(call)) return "left";
    return call.requestId <= lastInDoubt ? "in doubt" : { call };
  }
  holdMessage(tx, messageId);
  holdInOutbox(tx, messageId);
  const message = await findMessageProgress(tx, messageId);
  if (message === undefined || !canMove("message", message.status, "CANCELED")) return "left";
  if (!(await isInDoubt(tx, messageId))) return { message };
  reached("what was to be canceled is in doubt");
  return "in doubt";
}

function quotaOf(one: Waiting) {
  return "call" in one ? quotaKeyOf({ ...one.call, channel: "VOICE" }) : quotaKeyOf(one.message);
}
