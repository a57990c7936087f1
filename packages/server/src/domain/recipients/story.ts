// Looks up one message, or the objects with an id or Idempotency-Key, within what the caller may see.

import { CHANNEL_VALUES, MERCHANT_ID_MAX_LENGTH, MERCHANT_ID_PATTERN } from "@msgctl/contract/constants";
import { allEnded } from "../../store/batching.ts";
import { type KeyedCall, listKeyedCalls } from "../../store/idempotency.ts";
import type { Transaction } from "../../store/store.ts";
import { findTenantCallback } from "../callbacks/list-rows.ts";
import { findBatch } from "../calls/batch-rows.ts";
import { findCall } from "../calls/rows.ts";
import {
  type ConsentChange,
  type ConsentKey,
  type ConsentRow,
  findConsent,
  findConsentChangeAt,
} from "../consent/rows.ts";
import { contactOf, showRecipient } from "../contacts.ts";
import { findMerchant } from "../merchants/rows.ts";
import { findMessageDetails, findSentMessage, type MessageDetails } from "../messages/rows.ts";
import { callMessageId, readCallMessageId } from "../messages/rules.ts";
import { Refusal } from "../refusal.ts";
import { type DownCarrier, findDownCarrier } from "../reports/tenant-carriers.ts";
import type { MessageScope } from "../tenancy/access.ts";
import { findTextHours } from "../tenancy/rows.ts";
import { findTextHold, keepsTextHours, type TextHold } from "../text-hours.ts";
import { findSearchedCalls } from "./searched-rows.ts";

export interface MessageStory extends MessageDetails {
  /** The recipient's consent when the message was accepted; null if none is known. */
  readonly consent: ConsentChange | null;
  /** The recipient's present decisions about the merchant, by channel. */
  readonly decisions: readonly ConsentRow[];
  /** The unreachable carrier that the message waits for; null if there is none. */
  readonly carrierDown: DownCarrier | null;
  /** The hours of its tenant that a QUEUED text waits for; null if it waits for none. */
  readonly hold: TextHold | null;
}

/** Reads a message. Throws `message_not_found` if it does not exist or belongs to another tenant or merchant. */
export async function readMessageStory(
  tx: Transaction,
  { tenantId, merchantId }: MessageScope,
  { messageId, now }: { messageId: string; now: number },
): Promise<MessageStory> {
  const message =
    (await findMessageDetails(tx, tenantId, messageId)) ?? (await findCallOfMessage(tx, tenantId, messageId));
  if (message !== undefined && (merchantId === null || message.merchantId === merchantId)) {
    const { channel, to, createdAt: at } = message;
    const key = { tenantId, merchantId: message.merchantId, channel, contact: contactOf(to), at };
    return {
      ...message,
      to: showRecipient(to),
      decisions: await listDecisions(tx, { tenantId, merchantId: message.merchantId, contact: contactOf(to) }),
      consent: (await findConsentChangeAt(tx, key)) ?? null,
      carrierDown: message.status === "QUEUED" ? ((await findDownCarrier(tx, { tenantId, channel })) ?? null) : null,
      hold: message.status === "QUEUED" ? await findHold(tx, { ...message, tenantId, now }) : null,
    };
  }
  throw new Refusal("message_not_found", "There is no such message, or it belongs to another tenant or merchant.");
}

async function findHold(
  tx: Transaction,
  message: Pick<MessageDetails, "channel" | "type" | "purpose" | "to"> & { tenantId: number; now: number },
): Promise<TextHold | null> {
  if (!keepsTextHours(message)) return null;
  return findTextHold(await findTextHours(tx, message.tenantId), message.to, message.now) ?? null;
}

async function listDecisions(tx: Transaction, key: Omit<ConsentKey, "channel">): Promise<ConsentRow[]> {
  const found = await allEnded(CHANNEL_VALUES.map((channel) => findConsent(tx, { ...key, channel })));
  return found.filter((consent) => consent !== undefined);
}

/** Finds the call by its future message's id: a call has no message until it is submitted to a carrier. */
async function findCallOfMessage(
  tx: Transaction,
  tenantId: number,
  messageId: string,
): Promise<MessageDetails | undefined> {
  const requestId = readCallMessageId(messageId);
  const [call] = requestId === undefined ? [] : await findSearchedCalls(tx, [requestId]);
  if (call?.tenantId !== tenantId || callMessageId(call) !== messageId) return undefined;
  const { merchantId, type, reason, to, content, createdAt, project } = call;
  const status = call.status ?? (call.finalStatus === "FAILED" ? "FAILED" : "QUEUED");
  return {
    ...{ messageId, merchantId, channel: "VOICE", type, purpose: "SEND", reason, to, subject: null, content },
    status,
    ...{ units: 0, creditUnits: 0, attempts: 0, provider: null, providerMessageId: null },
    ...{ providerCostMicros: null, markupMicros: null, charge: "RESERVED", period: "" },
    ...{ createdAt, takenAt: null, updatedAt: createdAt, project, carrierWords: null, carrierSaidAt: null },
  };
}

/** An object with the given id. Its recipient is omitted. Objects of other tenants and merchants are not found. */
export interface IdMatch {
  readonly kind: "message" | "batch" | "call" | "callback" | "merchant";
  readonly id: string;
}

/** A request with an Idempotency-Key. */
interface KeyedRequest {
  readonly operation: string;
  /** The object that it created or changed; undefined if that object has no public id. */
  readonly made: IdMatch | undefined;
}

/** Looks up the objects with this id. */
export async function lookUpId(tx: Transaction, scope: MessageScope, text: string): Promise<IdMatch[]> {
  const matches: IdMatch[] = [];
  const add = async (kind: IdMatch["kind"]) => {
    if (await isSeen(tx, scope, { kind, id: text })) matches.push({ kind, id: text });
  };
  if (/^evt_[0-9a-f]{32}$/.test(text)) await add("callback");
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) {
    await add("batch");
    await add("call");
  }
  if (text.length <= MERCHANT_ID_MAX_LENGTH && MERCHANT_ID_PATTERN.test(text)) await add("merchant");
  return matches;
}

/** Finds the requests with this Idempotency-Key, as long as the key is stored. */
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

function readMade({ reference }: KeyedCall): IdMatch | undefined {
  const { messageId, batchId, merchantId } = JSON.parse(reference) as Readonly<Record<string, unknown>>;
  if (typeof messageId === "string") return { kind: "message", id: messageId };
  if (typeof batchId === "number") return { kind: "batch", id: String(batchId) };
  if (typeof merchantId === "string") return { kind: "merchant", id: merchantId };
  return undefined;
}

/**
 * Returns whether the scope includes the request: a merchant sees requests that its own credentials made, and requests that
 * created or changed its objects.
 */
async function maySee(
  tx: Transaction,
  scope: MessageScope,
  { merchantId }: KeyedCall,
  made: IdMatch | undefined,
): Promise<boolean> {
  if (scope.merchantId === null || scope.merchantId === merchantId) return true;
  return made !== undefined && isSeen(tx, scope, made);
}

async function isSeen(tx: Transaction, scope: MessageScope, { kind, id }: IdMatch): Promise<boolean> {
  const owner = await findOwner(tx, scope.tenantId, kind, id);
  return owner !== undefined && (scope.merchantId === null || owner === scope.merchantId);
}

/** Finds the merchant that owns the object; null if the tenant itself does. Undefined if the tenant has no such object. */
async function findOwner(
  tx: Transaction,
  tenantId: number,
  kind: IdMatch["kind"],
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
