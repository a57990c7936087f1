// Operations that send messages on each channel, and that simulate replies.

import type { OperationId } from "@msgctl/contract";
import { parseWrittenEmailAddress } from "@msgctl/contract/email-addresses";
import { countSegments } from "@msgctl/contract/segments";
import { defined } from "../../platform/defined.ts";
import { noteReceivedText } from "../callbacks/event-rows.ts";
import { acceptCalls, type CallRequest, DEFAULT_RING_SECONDS, planCalls } from "../calls/accept.ts";
import { readErasedRecipient } from "../contacts.ts";
import type { Caller, OperationContext } from "../context.ts";
import type { AnyInput, FindFaults, Handlers, OperationInput, OperationResult, WriteOperation } from "../handler.ts";
import { defaultMerchantId } from "../merchants/rows.ts";
import { type FieldFault, Refusal } from "../refusal.ts";
import { requireMerchant, requirePhoneNumber, tenantOnly } from "../tenancy/access.ts";
import { acceptMessage, quotaExceeded, readMessage, requireConsent, type SentMessage } from "./accept.ts";
import { receiveReply } from "./inbound-replies.ts";
import { findSentMessage, insertMessage, type SentMessageRow } from "./rows.ts";

/** Largest content of an email. */
const EMAIL_LIMIT_BYTES = 1024 * 1024;

type TextSendId = "sendSms" | "sendEmail" | "sendDirectSms" | "sendDirectEmail";
type VoiceBody = OperationInput<"sendVoice">["body"];

export const messageHandlers: Handlers<TextSendId | "sendVoice"> = {
  sendSms: sending({
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    toSend: ({ body: { merchantId, type, to, message: content } }) => smsSend({ merchantId, type, to, content }),
    view: viewDispatch,
  }),
  sendVoice: {
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    dispatches: true,
    schedules: true,
    async write(context, { body }) {
      const { tx, caller, now, settings } = context;
      const { merchantId, type, text } = body;
      const request = toCallRequest(context, body);
      const plan = await planCalls(context, request);
      const { merchant, consents, units, period } = plan;
      const [call] = plan.calls;
      if (call === undefined) throw new Error("a voice send has no call");
      const send = { merchantId, channel: "VOICE" as const, type, units };
      requireConsent(settings.consentPolicy, send, consents.get(call.toNumber));
      if (call.status === "REJECTED") throw await quotaExceeded(context, send, merchant);

      const messageId = settings.newId("msg", now);
      const { tenantId } = caller;
      const { toNumber: recipient, creditUnits } = call;
      // not queued yet: the call is dialled once its speech is ready
      const acceptance = { messageId, tenantId, purpose: "SEND", creditUnits, period, now, queueOrder: null } as const;
      await insertMessage(tx, { ...send, recipient, subject: null, content: text }, acceptance);
      const { executedAt } = await acceptCalls(context, plan, messageId);
      return {
        result: viewDispatch({ merchantId, channel: "VOICE", messageId, recipient, status: "QUEUED" }),
        reference: { messageId },
        executedAt,
      };
    },
    replay: async (context, reference) => viewDispatch(await readMessage(context, reference)),
  },
  sendEmail: sending({
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    findFaults: findEmailFaults,
    toSend: ({ body: { merchantId, type, to, subject, body: content } }) =>
      emailSend({ merchantId, type, to, subject, content }),
    view: viewDispatch,
  }),
  sendDirectSms: sending({
    authorize: tenantOnly,
    toSend: ({ body: { to, message: content } }) =>
      smsSend({ merchantId: defaultMerchantId, type: "TRANSACTIONAL", to, content }),
    view: viewMessage,
  }),
  sendDirectEmail: sending({
    authorize: tenantOnly,
    findFaults: findEmailFaults,
    toSend: ({ body: { to, subject = null, body: content } }) =>
      emailSend({ merchantId: defaultMerchantId, type: "TRANSACTIONAL", to, subject, content }),
    view: viewMessage,
  }),
};

/** Makes the handler of a text send. The four text sends differ only in their requests and replies. */
function sending<K extends TextSendId & OperationId>(send: {
  authorize: WriteOperation<K>["authorize"];
  findFaults?: FindFaults;
  toSend: (input: OperationInput<K>) => SentMessage;
  view: (message: SentMessageRow) => OperationResult<K>;
}): WriteOperation<K> {
  return {
    authorize: send.authorize,
    ...defined({ findFaults: send.findFaults }),
    dispatches: true,
    mayShare: true,
    async write(context, input) {
      const message = await acceptMessage(context, send.toSend(input));
      return { result: send.view(message), reference: { messageId: message.messageId } };
    },
    async replay(context, reference) {
      return send.view(await readMessage(context, reference));
    },
  };
}

/** A requested send, with the recipient as given. */
type AskedSend = Pick<SentMessage, "merchantId" | "type" | "content"> & { readonly to: string };

function smsSend({ merchantId, type, to, content }: AskedSend): SentMessage {
  const recipient = requirePhoneNumber(to);
  const units = countSegments(content).segments;
  return { merchantId, channel: "SMS", type, recipient, subject: null, content, units };
}

function emailSend({ merchantId, type, to, subject, content }: AskedSend & Pick<SentMessage, "subject">): SentMessage {
  const recipient = parseWrittenEmailAddress(to);
  if (recipient === undefined) throw new Error("an invalid email address passed validation");
  return { merchantId, channel: "EMAIL", type, recipient, subject, content, units: 1 };
}

/** Checks the size in bytes: a schema can only limit the number of characters. */
function findEmailFaults({ body }: AnyInput): readonly FieldFault[] {
  const { body: content } = Object(body) as { body?: unknown };
  // a UTF-16 code unit takes at most three bytes
  if (typeof content !== "string" || content.length * 3 <= EMAIL_LIMIT_BYTES) return [];
  const bytes = Buffer.byteLength(content);
  if (bytes <= EMAIL_LIMIT_BYTES) return [];
  return [{ pointer: "/body", code: "too_long", detail: `Expected at most 1 MiB of UTF-8; received ${bytes} bytes.` }];
}

/** Converts a voice send to a request to call one number. */
function toCallRequest({ caller }: OperationContext, body: VoiceBody): CallRequest {
  return {
    numbers: [requirePhoneNumber(body.to)],
    terms: {
      merchantId: body.merchantId,
      platformAccountId: null,
      tenantLabel: String(caller.tenantId),
      sourceSystem: null,
      useCase: body.type,
      campaignId: null,
      campaignName: null,
      messageType: body.type,
      messageText: body.text,
      language: "en-US",
      voiceProfile: "default",
      priority: "NORMAL",
      callbackUrl: null,
      isRecorded: body.record === true ? 1 : 0,
      ringSeconds: body.timeoutSeconds ?? DEFAULT_RING_SECONDS,
      customerTimezone: null,
    },
  };
}

function viewDispatch({ merchantId, channel, messageId, status }: SentMessageRow): OperationResult<"sendSms"> {
  return { merchantId, channel, messageId, status };
}

function viewMessage({ messageId, status }: SentMessageRow): OperationResult<"sendDirectSms"> {
  return { messageId, status };
}

export const simulatorHandlers: Handlers<"simulateReply"> = {
  simulateReply: {
    // checked in `write`: only the message tells which merchant it belongs to
    authorize: () => {},
    dispatches: true,
    async write({ tx, caller, now, settings }, { body }) {
      const { tenantId } = caller;
      const message =
        body.tenantId === String(tenantId) ? await findSentMessage(tx, tenantId, body.messageId) : undefined;
      if (message === undefined || !maySee(caller, message.merchantId)) throw messageNotFound(body);
      if (message.channel !== "SMS") {
        const detail = `Message ${message.messageId} was sent by ${message.channel}; only an SMS can be replied to.`;
        throw new Refusal("reply_not_supported", detail);
      }
      const { newId, digestRecipient, stopCovers } = settings;
      const confirmationId = newId("msg", now);
      const context = { tx, now, confirmationId, changedBy: caller.apiKey, digestRecipient, stopCovers };
      const { status, message: done } = await receiveReply(context, { ...message, tenantId }, body.replyBody);
      const { merchantId, messageId, recipient: from } = message;
      if (readErasedRecipient(from) === undefined) {
        const told = { tenantId, merchantId, messageId, from, to: null, text: body.replyBody, action: status };
        await noteReceivedText(tx, told, now);
      }
      return { result: { status, message: done }, reference: { status, message: done, merchantId, messageId } };
    },
    // returns the original effect, even if consent has changed since
    async replay({ caller }, { status, message, merchantId, messageId }) {
      if (!maySee(caller, String(merchantId))) {
        throw messageNotFound({ tenantId: String(caller.tenantId), messageId: String(messageId) });
      }
      return { status: String(status), message: String(message) };
    },
  },
};

/** Returns whether the caller's credential may see the merchant's messages. If not, they are reported as not found. */
function maySee(caller: Caller, merchantId: string): boolean {
  return caller.merchantId === null || caller.merchantId === merchantId;
}

function messageNotFound({ tenantId, messageId }: { tenantId: string; messageId: string }): Refusal {
  return new Refusal("message_not_found", `Tenant ${tenantId} has no message ${messageId} to reply to.`);
}
