// What a bare text names, for whoever has it from a log, a program or a callback: the thing with that id, and what was asked
// for with that Idempotency-Key. It tells ids alone: whoever looks at what has them is shown no recipient here. What is
// another tenant's or merchant's is told as what nobody has.

import { MERCHANT_ID_MAX_LENGTH, MERCHANT_ID_PATTERN } from "@msgctl/contract/constants";
import { findBatch } from "../store/call-batches.ts";
import { findCall } from "../store/calls.ts";
import { type KeyedCall, listKeyedCalls } from "../store/idempotency.ts";
import { findMerchant } from "../store/merchants.ts";
import { findSentMessage } from "../store/messages.ts";
import type { Transaction } from "../store/store.ts";
import { findTenantCallback } from "../store/tenant-callbacks.ts";
import type { MessageScope } from "./message-story.ts";

export interface NamedThing {
  readonly kind: "message" | "batch" | "call" | "callback" | "merchant";
  readonly id: string;
}

/** What was asked for with an Idempotency-Key. */
export interface KeyedRequest {
  readonly operation: string;
  /** What it made or changed; undefined where nothing of that has an id that is shown. */
  readonly made: NamedThing | undefined;
}

/** The things with this id. */
export async function findNamedThings(tx: Transaction, scope: MessageScope, text: string): Promise<NamedThing[]> {
  const things: NamedThing[] = [];
  const add = async (kind: NamedThing["kind"]) => {
    if (await isSeen(tx, scope, { kind, id: text })) things.push({ kind, id: text });
  };
  if (/^evt_[0-9a-f]{32}$/.test(text)) await add("callback");
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) {
    await add("batch");
    await add("call");
  }
  if (text.length <= MERCHANT_ID_MAX_LENGTH && MERCHANT_ID_PATTERN.test(text)) await add("merchant");
  return things;
}

/** The requests with this Idempotency-Key, while it is kept. */
export async function findKeyedRequests(
  tx: Transaction,
  scope: MessageScope,
  { key, now }: { key: string; now: number },
): Promise<KeyedRequest[]> {
  const requests: KeyedRequest[] = [];
  for (const call of await listKeyedCalls(tx, { ...scope, key, now })) {
    const made = readMade(call);
    if (await maySee(tx, scope, call, made)) requests.push({ operation: call.operation, made });
  }
  return requests;
}

function readMade({ reference }: KeyedCall): NamedThing | undefined {
  const { messageId, batchId, merchantId } = JSON.parse(reference) as Readonly<Record<string, unknown>>;
  if (typeof messageId === "string") return { kind: "message", id: messageId };
  if (typeof batchId === "number") return { kind: "batch", id: String(batchId) };
  if (typeof merchantId === "string") return { kind: "merchant", id: merchantId };
  return undefined;
}

/** What a merchant's own credential asked for is the merchant's; what the tenant's did, only where what it made is. */
async function maySee(
  tx: Transaction,
  scope: MessageScope,
  { merchantId }: KeyedCall,
  made: NamedThing | undefined,
): Promise<boolean> {
  if (scope.merchantId === null || scope.merchantId === merchantId) return true;
  return made !== undefined && isSeen(tx, scope, made);
}

async function isSeen(tx: Transaction, scope: MessageScope, { kind, id }: NamedThing): Promise<boolean> {
  const owner = await findOwner(tx, scope.tenantId, kind, id);
  return owner !== undefined && (scope.merchantId === null || owner === scope.merchantId);
}

/** Whose it is: the merchant, or null for the tenant's as a whole. Undefined where the tenant has none such. */
async function findOwner(
  tx: Transaction,
  tenantId: number,
  kind: NamedThing["kind"],
  id: string,
): Promise<string | null | undefined> {
  switch (kind) {
    case "message":
      return (await findSentMessage(tx, tenantId, id))?.merchantId;
    case "callback":
      return (await findTenantCallback(tx, tenantId, id))?.merchantId;
    case "merchant":
      return (await findMerchant(tx, tenantId, id))?.merchantId;
    case "batch":
    case "call": {
      const found = await (kind === "batch" ? findBatch : findCall)(tx, Number(id));
      return found?.tenantId === tenantId ? found.merchantId : undefined;
    }
  }
}
