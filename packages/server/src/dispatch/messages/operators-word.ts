// Records the operator's word on a message whose end its carrier does not report.

import { defaultPrices } from "../../rules/prices.ts";
import { canMove, type MessageStatus } from "../../rules/transitions.ts";
import { noteDecision } from "../../steps/operator-audit.ts";
import { findMessageProgress, type MessageProgress } from "../../store/message-progress.ts";
import { endDispatch } from "../../store/outbox.ts";
import type { Transaction } from "../../store/store.ts";
import { keepWords, markDelivery, markNotTakenAfterAll } from "./progress.ts";

export interface OperatorsWord {
  readonly messageId: string;
  readonly status: "DELIVERED" | "UNDELIVERED" | "FAILED";
  /** Evidence, such as the number of a ticket. */
  readonly reason: string;
  /** Name of the person who says so. */
  readonly by: string;
  readonly now: number;
}

/**
 * Records how a message ended. `isRepeat` says that it had ended so before, which changes nothing. Throws, in the operator's words,
 * where its carrier will tell, or it has ended otherwise.
 */
export async function recordOperatorsWord(
  tx: Transaction,
  word: OperatorsWord,
): Promise<{ readonly before: MessageStatus; readonly isRepeat: boolean; readonly tenantId: number }> {
  const { messageId, status, reason, by, now } = word;
  const message = await findMessageProgress(tx, messageId);
  if (message === undefined) throw new Error(`there is no message ${messageId}: msgd messages list shows them`);
  const { status: before, tenantId } = message;
  if (before === status) return { before, isRepeat: true, tenantId };
  const obstacle = findObstacle(message, status);
  if (obstacle !== undefined) throw new Error(`message ${messageId} ${obstacle}`);
  const moment = { tx, now, prices: defaultPrices };
  if (status === "FAILED") await markNotTakenAfterAll(moment, message, "CARRIER_UNKNOWN");
  else await markDelivery(moment, message, status, status === "DELIVERED" ? null : "CARRIER_UNKNOWN");
  await endDispatch(tx, messageId);
  await keepWords(moment, message, `settled by the operator: ${reason}`);
  const target = `messageId ${messageId}, ${before} to ${status}, reason ${reason}`;
  await noteDecision(tx, { tenantId, by, now, operation: "messages settle", target });
  return { before, isRepeat: false, tenantId };
}

function findObstacle({ status, channel }: MessageProgress, to: OperatorsWord["status"]): string | undefined {
  switch (status) {
    case "QUEUED":
      return "is QUEUED: it waits, and was given to nobody; msgd messages cancel takes it out of its queue";
    case "SENDING":
      return "is SENDING: its carrier is asked, for 72 hours at most; what ends UNKNOWN then can be settled";
    case "SENT":
      if (channel === "VOICE") return "is SENT: its carrier tells how the call ended, and for how long it lasted";
      break;
    default:
  }
  if (canMove("message", status, to)) return undefined;
  return status === "SENT"
    ? "is SENT: its carrier took it, so it can be settled as delivered or undelivered"
    : `is ${status} already: that stays`;
}
