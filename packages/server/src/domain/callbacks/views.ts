// Reads a callback, and sends one again that is over.

import type { Transaction } from "../../store/store.ts";
import { ERASED } from "../contacts.ts";
import { Refusal } from "../refusal.ts";
import type { MessageScope } from "../tenancy/access.ts";
import { lockLanes } from "./queue-rows.ts";
import { type FoundCallback, findTenantCallback, isGone, reopenCallback } from "./rows.ts";

/** The callback. Throws `route_not_found`, for another tenant's or merchant's as for none. */
export async function readCallback(
  tx: Transaction,
  { tenantId, merchantId }: MessageScope,
  webhookId: string,
): Promise<FoundCallback> {
  const callback = await findTenantCallback(tx, tenantId, webhookId);
  if (callback === undefined || (merchantId !== null && callback.merchantId !== merchantId)) throw notFound(webhookId);
  return callback;
}

/** The obstacle to sending the callback again; undefined if there is none. */
export async function findResendObstacle(
  tx: Transaction,
  tenantId: number,
  callback: FoundCallback,
): Promise<string | undefined> {
  const { type, status, url, requestId, toNumber } = callback;
  if (status === "PENDING") return "It is still pending: it is tried by itself until it is taken or given up.";
  if (toNumber === ERASED && type !== "voice.tts_batch.finalized") return "Its recipient was erased.";
  if (await isGone(tx, { tenantId, url, requestId })) {
    return "Its receiver answered 410: it wants nothing more at this URL for calls from before then.";
  }
  return undefined;
}

/**
 * Queues a finished callback once more, with the same webhook-id. Throws `illegal_transition` with the obstacle, and
 * `route_not_found`.
 */
export async function resendCallback(
  tx: Transaction,
  scope: MessageScope,
  { webhookId, now }: { webhookId: string; now: number },
): Promise<void> {
  const { tenantId } = scope;
  // locked first: the callback is then read as the last holder left it
  lockLanes(tx, tenantId);
  const callback = await readCallback(tx, scope, webhookId);
  const obstacle = await findResendObstacle(tx, tenantId, callback);
  if (obstacle !== undefined) throw new Refusal("illegal_transition", obstacle);
  const { callbackId, requestId, receiver, url } = callback;
  const ended = { callbackId, requestId, tenantId, receiver, url };
  // another transaction has just removed it
  if (!(await reopenCallback(tx, ended, now))) throw notFound(webhookId);
}

function notFound(webhookId: string): Refusal {
  const kept = "One that is over is removed after 7 days.";
  return new Refusal("route_not_found", `There is no callback ${webhookId}. ${kept}`);
}
