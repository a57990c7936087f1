// What is known of one message, dialled or not, to those who may see it.

import { contactOf } from "../rules/contacts.ts";
import { showRecipient } from "../rules/erased-recipients.ts";
import { callMessageId, readCallMessageId } from "../rules/message-ids.ts";
import { Refusal } from "../rules/refusal.ts";
import { type ConsentChange, findConsentChangeAt } from "../store/consent-changes.ts";
import { findMessageDetails, type MessageDetails } from "../store/message-details.ts";
import { findSearchedCalls } from "../store/searched-messages.ts";
import type { Transaction } from "../store/store.ts";
import { type DownCarrier, findDownCarrier } from "./tenant-carriers.ts";

/** Whose messages are seen: a tenant's, or those of one of its merchants. */
export interface MessageScope {
  readonly tenantId: number;
  readonly merchantId: string | null;
}

export interface MessageStory extends MessageDetails {
  /** What the recipient had decided when it was accepted; null if nothing, or nothing is known any more. */
  readonly consent: ConsentChange | null;
  /** The carrier that it waits for; null unless that cannot be reached. */
  readonly carrierDown: DownCarrier | null;
}

/** The message, as it is now. Throws `message_not_found`, for another tenant's or merchant's as for none. */
export async function readMessageStory(
  tx: Transaction,
  { tenantId, merchantId }: MessageScope,
  messageId: string,
): Promise<MessageStory> {
  const message = (await findMessageDetails(tx, tenantId, messageId)) ?? (await findCall(tx, tenantId, messageId));
  if (message !== undefined && (merchantId === null || message.merchantId === merchantId)) {
    const { channel, to, createdAt: at } = message;
    const key = { tenantId, merchantId: message.merchantId, channel, contact: contactOf(to), at };
    return {
      ...message,
      to: showRecipient(to),
      consent: (await findConsentChangeAt(tx, key)) ?? null,
      carrierDown: message.status === "QUEUED" ? ((await findDownCarrier(tx, { tenantId, channel })) ?? null) : null,
    };
  }
  throw new Refusal("message_not_found", "There is no such message, or it is another's.");
}

/** A call that no carrier was asked to make yet has no message of its own. */
async function findCall(tx: Transaction, tenantId: number, messageId: string): Promise<MessageDetails | undefined> {
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
