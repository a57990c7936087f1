// Reads callbacks, resends finished ones, and views events of messages.

import type { EventOf } from "@msgctl/contract";
import type { Transaction } from "../../store/store.ts";
import { contactOf, ERASED, readErasedRecipient } from "../contacts.ts";
import { Refusal } from "../refusal.ts";
import type { MessageScope } from "../tenancy/access.ts";
import { type ToldStatus, toldSequence } from "../transitions.ts";
import type { MessageEventRow, ReceivedText } from "./event-rows.ts";
import { type FoundCallback, findTenantCallback } from "./list-rows.ts";
import { lockLanes } from "./queue-rows.ts";
import { isGone, reopenCallback } from "./rows.ts";

/** Reads a callback. Throws `route_not_found` if it does not exist or belongs to another tenant or merchant. */
export async function readCallback(
  tx: Transaction,
  { tenantId, merchantId }: MessageScope,
  webhookId: string,
): Promise<FoundCallback> {
  const callback = await findTenantCallback(tx, tenantId, webhookId);
  if (callback === undefined || (merchantId !== null && callback.merchantId !== merchantId)) throw notFound(webhookId);
  return callback;
}

/** Returns why the callback cannot be resent; undefined if it can. */
export async function findResendObstacle(
  tx: Transaction,
  tenantId: number,
  callback: FoundCallback,
): Promise<string | undefined> {
  const { type, status, url, requestId, contact } = callback;
  if (status === "PENDING")
    return "It is still pending: msgd retries it until its receiver accepts it or the retries end.";
  if (contact === ERASED && type !== "voice.tts_batch.finalized") return "Its recipient was erased.";
  if (await isGone(tx, { tenantId, url, requestId })) {
    return "Its receiver answered 410: it accepts no more callbacks at this URL for calls requested before that.";
  }
  return undefined;
}

/**
 * Queues a finished callback again, with the same webhook-id. Throws `illegal_transition` with the obstacle if it cannot
 * be resent, and `route_not_found` if it does not exist.
 */
export async function resendCallback(
  tx: Transaction,
  scope: MessageScope,
  { webhookId, now }: { webhookId: string; now: number },
): Promise<void> {
  const { tenantId } = scope;
  // lock before reading: otherwise another transaction could change the callback in between
  lockLanes(tx, tenantId);
  const callback = await readCallback(tx, scope, webhookId);
  const obstacle = await findResendObstacle(tx, tenantId, callback);
  if (obstacle !== undefined) throw new Refusal("illegal_transition", obstacle);
  const { callbackId, requestId, receiver, url } = callback;
  const ended = { callbackId, requestId, tenantId, receiver, url };
  // it was removed in the meantime
  if (!(await reopenCallback(tx, ended, now))) throw notFound(webhookId);
}

function notFound(webhookId: string): Refusal {
  const kept = "Finished callbacks are removed after 7 days.";
  return new Refusal("route_not_found", `There is no callback ${webhookId}. ${kept}`);
}

type Told<K extends MessageEventRow["type"]> = Omit<EventOf<K>, "timestamp">;

/** Returns the event as it is posted, with the contact that it is about; undefined if the recipient was erased. */
export function viewEvent(
  tenant: number,
  event: MessageEventRow,
): { event: Told<"message.updated"> | Told<"message.received">; contact: string | null } | undefined {
  const { type, messageId, contact, occurredAt } = event;
  const tenantId = String(tenant);
  if (type === "message.received") {
    const { from, to, text, action }: Omit<ReceivedText, "tenantId" | "messageId" | "merchantId"> = JSON.parse(
      event.data,
    );
    return {
      event: { type, data: { messageId, tenantId, merchantId: event.merchantId, from, to, text, action } },
      contact,
    };
  }
  const { merchantId, channel, messageType, recipient, createdAt } = event;
  const isKnown = messageId !== null && merchantId !== null && channel !== null && messageType !== null;
  if (!isKnown || recipient === null || createdAt === null || readErasedRecipient(recipient) !== undefined)
    return undefined;
  const { status, deliveryReason }: { status: ToldStatus; deliveryReason: string | null } = JSON.parse(event.data);
  const data = {
    ...{ messageId, tenantId, merchantId, channel, type: messageType, to: recipient, status, deliveryReason },
    sequence: toldSequence[status],
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(occurredAt).toISOString(),
  };
  return { event: { type, data }, contact: contactOf(recipient) };
}
