// A voice send: a call by itself, whose carrier's leg is a message from the start.

import { parsePhoneNumber } from "../rules/contacts.ts";
import { insertMessage } from "../store/messages.ts";
import { requireMerchant } from "./access.ts";
import { acceptCalls, type CallRequest, planCalls } from "./call-acceptance.ts";
import { quotaExceeded, readMessage, requireConsent, viewDispatch } from "./messages.ts";
import type { Handlers, OperationContext, OperationInput } from "./operation.ts";
import { DEFAULT_RING_SECONDS } from "./tts-calls.ts";

type VoiceBody = OperationInput<"sendVoice">["body"];

export const voiceSendHandlers: Handlers<"sendVoice"> = {
  sendVoice: {
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    dispatches: true,
    schedules: true,
    async write(context, { body }) {
      const { tx, caller, now, settings } = context;
      const { merchantId, type, text } = body;
      const request = toRequest(context, body);
      const plan = await planCalls(context, request);
      const { merchant, units, period } = plan;
      const [call] = plan.calls;
      if (call === undefined) throw new Error("a voice send has no call");
      const send = { merchantId, channel: "VOICE" as const, type, units };
      requireConsent(settings.consentPolicy, send, merchant.consent ?? undefined);
      if (call.status === "REJECTED") throw await quotaExceeded(context, send, merchant);

      const messageId = settings.newId("msg", now);
      await insertMessage(tx, {
        messageId,
        tenantId: caller.tenantId,
        merchantId,
        channel: "VOICE",
        type,
        purpose: "SEND",
        recipient: call.toNumber,
        subject: null,
        content: text,
        units,
        creditUnits: call.creditUnits,
        period,
        now,
        // it is dialled once there is speech
        queueOrder: null,
      });
      const { executedAt } = await acceptCalls(context, plan, messageId);
      return {
        result: viewDispatch({ merchantId, channel: "VOICE", messageId, recipient: call.toNumber, status: "QUEUED" }),
        reference: { messageId },
        executedAt,
      };
    },
    replay: async (context, reference) => viewDispatch(await readMessage(context, reference)),
  },
};

function toRequest({ caller }: OperationContext, body: VoiceBody): CallRequest {
  const number = parsePhoneNumber(body.to);
  if (number === undefined) throw new Error("the contract let through a phone number that is none");
  return {
    numbers: [number],
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
