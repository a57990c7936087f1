// Accepting a message: who may send it, is there consent, is there quota; then message, reservation and outbox row
// in the caller's one transaction. What happens next is the dispatcher's.

import type { OperationId } from "@msgctl/contract";
import { type ConsentPolicy, type ConsentStatus, decideConsent, type MessageType } from "../rules/consent.ts";
import { parseEmailAddress, parsePhoneNumber } from "../rules/contacts.ts";
import { availableUnits, type Quota, reserveUnits, suggestLimit } from "../rules/quota.ts";
import { countSegments } from "../rules/segments.ts";
import { type Channel, findMerchant, findSendingMerchant } from "../store/merchants.ts";
import { findSentMessage, insertMessage, type SentMessageRow } from "../store/messages.ts";
import { reserveUsage } from "../store/usage.ts";
import { requireMerchant, tenantOnly } from "./access.ts";
import { currentPeriod, merchantInactive, merchantNotFound } from "./merchants.ts";
import type {
  AnyInput,
  FindFaults,
  Handlers,
  OperationContext,
  OperationInput,
  OperationResult,
  Reference,
  WriteOperation,
} from "./operation.ts";
import { type FieldFault, Refusal } from "./refusal.ts";

/** The largest content of an email. */
const EMAIL_LIMIT_BYTES = 1024 * 1024;

/** The merchant that direct sends are attributed to; it is made with its tenant. */
export const defaultMerchantId = "default";

interface Send {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: MessageType;
  readonly recipient: string;
  readonly subject: string | null;
  readonly content: string;
  readonly units: number;
}

type SendId = "sendSms" | "sendEmail" | "sendDirectSms" | "sendDirectEmail";

export const messageHandlers: Handlers<SendId> = {
  sendSms: sending({
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    toSend: ({ body }) => smsSend(body.merchantId, body.type, body.to, body.message),
    view: viewDispatch,
  }),
  sendEmail: sending({
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    findFaults: findEmailFaults,
    toSend: ({ body }) => emailSend(body.merchantId, body.type, body.to, body.subject, body.body),
    view: viewDispatch,
  }),
  sendDirectSms: sending({
    authorize: tenantOnly,
    toSend: ({ body }) => smsSend(defaultMerchantId, "TRANSACTIONAL", body.to, body.message),
    view: viewMessage,
  }),
  sendDirectEmail: sending({
    authorize: tenantOnly,
    findFaults: findEmailFaults,
    toSend: ({ body }) => emailSend(defaultMerchantId, "TRANSACTIONAL", body.to, body.subject ?? null, body.body),
    view: viewMessage,
  }),
};

/** The four sends differ in what they are asked and what they show; all else is one. */
function sending<K extends SendId & OperationId>(parts: {
  authorize: WriteOperation<K>["authorize"];
  findFaults?: FindFaults;
  toSend: (input: OperationInput<K>) => Send;
  view: (message: SentMessageRow) => OperationResult<K>;
}): WriteOperation<K> {
  return {
    authorize: parts.authorize,
    ...(parts.findFaults === undefined ? {} : { findFaults: parts.findFaults }),
    dispatches: true,
    async write(context, input) {
      const message = await accept(context, parts.toSend(input));
      return { result: parts.view(message), reference: { messageId: message.messageId } };
    },
    async replay(context, reference) {
      return parts.view(await readMessage(context, reference));
    },
  };
}

function smsSend(merchantId: string, type: MessageType, to: string, content: string): Send {
  const recipient = parsePhoneNumber(to);
  if (recipient === undefined) throw new Error("the contract let through a phone number that is none");
  return {
    merchantId,
    channel: "SMS",
    type,
    recipient,
    subject: null,
    content,
    units: countSegments(content).segments,
  };
}

function emailSend(merchantId: string, type: MessageType, to: string, subject: string | null, content: string): Send {
  const recipient = parseEmailAddress(to);
  if (recipient === undefined) throw new Error("the contract let through an email address that is none");
  return { merchantId, channel: "EMAIL", type, recipient, subject, content, units: 1 };
}

/** A schema counts characters, and most of the world's take more than one byte. */
function findEmailFaults({ body }: AnyInput): readonly FieldFault[] {
  const { body: content } = Object(body) as { body?: unknown };
  // a character of UTF-16 takes three bytes at most
  if (typeof content !== "string" || content.length * 3 <= EMAIL_LIMIT_BYTES) return [];
  const bytes = Buffer.byteLength(content);
  if (bytes <= EMAIL_LIMIT_BYTES) return [];
  return [{ pointer: "/body", code: "too_long", detail: `Expected at most 1 MiB of UTF-8; received ${bytes} bytes.` }];
}

async function accept(context: OperationContext, send: Send): Promise<SentMessageRow> {
  const { tx, caller, now, settings } = context;
  const { tenantId } = caller;
  const { merchantId, channel, type, recipient, subject, content, units } = send;
  const period = currentPeriod(context);

  const merchant = await findSendingMerchant(tx, { tenantId, merchantId, channel, period, recipient });
  if (merchant === undefined) throw merchantNotFound(merchantId);
  if (merchant.active === 0) throw await merchantInactive(context, merchantId, "sends nothing");
  requireConsent(settings.consentPolicy, send, merchant.consent ?? undefined);
  const reservation = reserveUnits(merchant, units);
  if (reservation === undefined) throw await quotaExceeded(context, send, merchant);

  const { creditUnits } = reservation;
  const messageId = settings.newId("msg", now);
  await reserveUsage(tx, { tenantId, merchantId, channel, period }, { units, creditUnits });
  // named one by one: V8 copies an object's map at each spread, seen at 7 % of a send in a profile
  await insertMessage(tx, {
    messageId,
    tenantId,
    merchantId,
    channel,
    type,
    purpose: "SEND",
    recipient,
    subject,
    content,
    units,
    creditUnits,
    period,
    now,
  });
  return { messageId, merchantId, channel, recipient, status: "QUEUED" };
}

/** Throws `consent_opted_out` or `consent_required` where the recipient's decision does not allow the send. */
export function requireConsent(
  policy: ConsentPolicy,
  { merchantId, channel, type }: Pick<Send, "merchantId" | "channel" | "type">,
  status?: ConsentStatus,
): void {
  const decision = decideConsent({ policy, channel, type, status });
  if (decision === "consent_opted_out") {
    throw new Refusal(decision, `The recipient has opted out of ${channel} from merchant ${merchantId}.`);
  }
  if (decision === "consent_required") {
    const detail = `${type} by ${channel} needs a recorded OPT_IN, and merchant ${merchantId} has none for this recipient.`;
    throw new Refusal(decision, detail);
  }
}

const limitNames = { SMS: "smsLimit", VOICE: "voiceMinutesLimit", EMAIL: "emailLimit" } as const;

/** The refusal of a send that takes more units than are left, with what raises the limit. */
export async function quotaExceeded(
  { tx, caller }: OperationContext,
  { merchantId, channel, units }: Pick<Send, "merchantId" | "channel" | "units">,
  quota: Quota,
): Promise<Refusal> {
  const available = availableUnits(quota);
  const takes = `The message takes ${units} of merchant ${merchantId}'s ${channel} quota`;
  const detail =
    quota.limit === 0
      ? `${takes}, and ${available} are left: its ${limitNames[channel]} is 0, as every new merchant's is. Set one with POST /api/v1/merchants, or buy credits.`
      : `${takes}, and ${available} are left this month.`;
  const displayName = (await findMerchant(tx, caller.tenantId, merchantId))?.displayName ?? merchantId;
  const cure = { suggestedLimit: suggestLimit(quota, units), merchantId, displayName };
  return new Refusal("quota_exceeded", detail, { channel, available, required: units, ...cure });
}

/** The message that an earlier call with the same key made. */
export async function readMessage({ tx, caller }: OperationContext, reference: Reference): Promise<SentMessageRow> {
  const message = await findSentMessage(tx, caller.tenantId, String(reference.messageId));
  if (message === undefined) throw new Error("an accepted message is gone");
  return message;
}

export function viewDispatch({ merchantId, channel, messageId, status }: SentMessageRow): OperationResult<"sendSms"> {
  return { merchantId, channel, messageId, status };
}

function viewMessage({ messageId, status }: SentMessageRow): OperationResult<"sendDirectSms"> {
  return { messageId, status };
}
