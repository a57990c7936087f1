// Converts reports about mails to events of messages. Bounces and the events of providers both take this way.

import type { MessageTokens } from "../../domain/message-tokens.ts";
import type { MailReport } from "../../domain/messages/emails.ts";
import { cleanWords } from "../../domain/messages/rules.ts";
import { isPermanentReply, isPermanentStatus } from "../../domain/messages/suppressions.ts";
import type { MessageEvent } from "../provider.ts";

const LONGEST_ID = 200;

/** Returns the event of a report about a message. The same report always has the same event id. */
export function toMessageEvent(
  { messageId, report, happenedAt = "" }: { messageId: string; report: MailReport; happenedAt?: string },
  tokens: MessageTokens,
): MessageEvent {
  const event = {
    clientReference: messageId,
    eventId: cleanWords(`${report.kind} ${messageId} ${happenedAt}`, LONGEST_ID),
  };
  switch (report.kind) {
    case "complaint":
      return { ...event, kind: "opt-out", cause: "COMPLAINT" };
    case "unsubscribed":
      return { ...event, kind: "opt-out", cause: "OPT_OUT" };
    case "undelivered": {
      const { reason, detail, isPermanent = isPermanentReply(detail) || isPermanentStatus(detail) } = report;
      const providerMessageId = tokens.make(messageId);
      return { ...event, kind: "receipt", providerMessageId, status: "UNDELIVERED", reason, detail, isPermanent };
    }
    case "delivered":
    case "relayed": {
      const status = report.kind === "delivered" ? "DELIVERED" : "SENT";
      return { ...event, kind: "receipt", providerMessageId: tokens.make(messageId), status, reason: null };
    }
  }
}
