import { findSentMessage } from "../store/messages.ts";
import { type ReplyEffect, receiveReply } from "./inbound-replies.ts";
import type { Handlers, OperationResult } from "./operation.ts";
import { Refusal } from "./refusal.ts";

export const simulatorHandlers: Handlers<"simulateReply"> = {
  simulateReply: {
    // the message says which merchant it is about
    authorize: () => {},
    dispatches: true,
    async write({ tx, caller, now, settings }, { body }) {
      const { tenantId } = caller;
      const message =
        body.tenantId === String(tenantId) ? await findSentMessage(tx, tenantId, body.messageId) : undefined;
      const isVisible = caller.merchantId === null || caller.merchantId === message?.merchantId;
      if (message === undefined || !isVisible) {
        throw new Refusal("message_not_found", `Tenant ${body.tenantId} has no message ${body.messageId} to reply to.`);
      }
      if (message.channel !== "SMS") {
        throw new Refusal(
          "reply_not_supported",
          `Message ${message.messageId} went by ${message.channel}; only an SMS can be replied to.`,
        );
      }
      const context = { tx, now, newId: settings.newId, changedBy: caller.apiKey };
      const effect = await receiveReply(context, { ...message, tenantId }, body.replyBody);
      return { result: viewEffect(effect), reference: { status: effect.status, message: effect.message } };
    },
    // a reply is an event: what it did is what there is to show, whatever came after it
    replay: async (_context, { status, message }) => ({ status: String(status), message: String(message) }),
  },
};

function viewEffect({ status, message }: ReplyEffect): OperationResult<"simulateReply"> {
  return { status, message };
}
