// Records what a provider tells on its own: receipts, opt-outs, replies. They may come late, twice or out of order,
// and converge: a move that the table of transitions does not have is one that was overtaken.

import { receiveReply } from "../operations/inbound-replies.ts";
import { canMove, type MessageStatus } from "../rules/transitions.ts";
import { findMessageProgress, type MessageProgress } from "../store/message-progress.ts";
import { awaitReceipt, removeFromOutbox } from "../store/outbox.ts";
import { insertProviderEvent } from "../store/provider-events.ts";
import { endCall, noteCallStage } from "./call-legs.ts";
import { recordOptOut } from "./outcomes.ts";
import { type Moment, markDelivery, markTaken } from "./progress.ts";
import type { ProviderEvent } from "./providers/provider.ts";

export interface Told extends Moment {
  /** The provider's name. */
  readonly provider: string;
  readonly newId: (prefix: "msg", now: number) => string;
}

/** What recording an event did. `queued`: it also put a message in line. `unheard-of`: it is about no message here. */
export type Recorded = "recorded" | "queued" | "unheard-of";

/** Records one event, once, however often it is told. */
export async function recordEvent(told: Told, event: ProviderEvent): Promise<Recorded> {
  const message = await findMessageProgress(told.tx, event.clientReference);
  if (message === undefined) return "unheard-of";
  switch (event.kind) {
    case "receipt":
      await recordReceipt(told, message, event);
      return "recorded";
    case "call":
      await recordCallReport(told, message, event);
      return "recorded";
    case "opt-out":
      if (await isNew(told, event)) await recordOptOut(told, message, told.provider, event.cause);
      return "recorded";
    case "reply": {
      if (!(await isNew(told, event))) return "recorded";
      const reply = await receiveReply({ ...told, changedBy: `provider:${told.provider}` }, message, event.text);
      return reply.isConfirmed ? "queued" : "recorded";
    }
  }
}

async function recordReceipt(
  told: Told,
  message: MessageProgress,
  receipt: ProviderEvent & { kind: "receipt" },
): Promise<void> {
  const status = await proveTaken(told, message, receipt.providerMessageId);
  if (receipt.status === "SENT" || !canMove("message", status, receipt.status)) return;
  await markDelivery(told, { ...message, status }, receipt.status, receipt.reason);
  await removeFromOutbox(told.tx, message.messageId);
}

async function recordCallReport(
  told: Told,
  message: MessageProgress,
  { report, providerMessageId }: ProviderEvent & { kind: "call" },
): Promise<void> {
  const status = await proveTaken(told, message, providerMessageId);
  if (report.stage !== "ENDED") return noteCallStage(told, message, report.stage);
  if (await endCall(told, { ...message, status }, report)) await removeFromOutbox(told.tx, message.messageId);
}

/** Any receipt proves that the message was taken, even where the submission's own answer is still in doubt. */
async function proveTaken(told: Told, message: MessageProgress, providerMessageId: string): Promise<MessageStatus> {
  if (!canMove("message", message.status, "SENT")) return message.status;
  await markTaken(told, message, providerMessageId);
  await awaitReceipt(told.tx, message.messageId);
  return "SENT";
}

function isNew({ tx, provider, now }: Told, { eventId }: ProviderEvent): Promise<boolean> {
  return insertProviderEvent(tx, { provider, eventId, now });
}
