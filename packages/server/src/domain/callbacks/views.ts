// Reads callbacks, and resends finished ones.

import type { Transaction } from "../../store/store.ts";
import { ERASED } from "../contacts.ts";
import { Refusal } from "../refusal.ts";
import type { MessageScope } from "../tenancy/access.ts";
import { lockLanes } from "./queue-rows.ts";
import { type FoundCallback, findTenantCallback, isGone, reopenCallback } from "./rows.ts";

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
  const { type, status, url, requestId, toNumber } = callback;
  if (status === "PENDING")
    return "It is still pending: msgd retries it until its receiver accepts it or the retries end.";
  if (toNumber === ERASED && type !== "voice.tts_batch.finalized") return "Its recipient was erased.";
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
