import { Refusal } from "../rules/refusal.ts";
import { receiveReply } from "../steps/inbound-replies.ts";
import type { Caller, Handlers } from "../steps/operation.ts";
import { findSentMessage } from "../store/messages.ts";

export const simulatorHandlers: Handlers<"simulateReply"> = {
  simulateReply: {
    // known only once the message is
    authorize: () => {},
    dispatches: true,
    async write({ tx, caller, now, settings }, { body }) {
      const { tenantId } = caller;
      const message =
        body.tenantId === String(tenantId) ? await findSentMessage(tx, tenantId, body.messageId) : undefined;
      if (message === undefined || !maySee(caller, message.merchantId)) throw messageNotFound(body);
      if (message.channel !== "SMS") {
        throw new Refusal(
          "reply_not_supported",
          `Message ${message.messageId} went by ${message.channel}; only an SMS can be replied to.`,
        );
      }
      const { newId, digestRecipient, stopCovers } = settings;
      const confirmationId = newId("msg", now);
      const context = { tx, now, confirmationId, changedBy: caller.apiKey, digestRecipient, stopCovers };
      const effect = await receiveReply(context, { ...message, tenantId }, body.replyBody);
      const { status, message: done } = effect;
      return {
        result: { status, message: done },
        reference: { status, message: done, merchantId: message.merchantId, messageId: message.messageId },
      };
    },
    // a reply is an event: its effect is shown as it was, whatever came after it
    async replay({ caller }, { status, message, merchantId, messageId }) {
      if (!maySee(caller, String(merchantId))) {
        throw messageNotFound({ tenantId: String(caller.tenantId), messageId: String(messageId) });
      }
      return { status: String(status), message: String(message) };
    },
  },
};

/** The message, not the request, names the merchant: to another merchant's credential it does not exist. */
function maySee(caller: Caller, merchantId: string): boolean {
  return caller.merchantId === null || caller.merchantId === merchantId;
}

function messageNotFound({ tenantId, messageId }: { tenantId: string; messageId: string }): Refusal {
  return new Refusal("message_not_found", `Tenant ${tenantId} has no message ${messageId} to reply to.`);
}
