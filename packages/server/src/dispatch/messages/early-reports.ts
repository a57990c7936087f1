// A database that was put back may be told of a message that still waits, as far as it knows. It cannot record that yet, and is
// to be told again: its provider is asked about the message first, and with the answer it counts as taken.

import { reached } from "../../platform/probes.ts";
import { callMessageId, readCallMessageId } from "../../rules/message-ids.ts";
import { canReach } from "../../rules/transitions.ts";
import { findCall } from "../../store/calls.ts";
import { isInDoubt, listHorizons } from "../../store/doubts.ts";
import type { MessageProgress } from "../../store/message-progress.ts";
import type { Transaction } from "../../store/store.ts";

/** The event is not recorded, so that its provider reports it again. */
export class ReportedTooEarly extends Error {
  override readonly name = "ReportedTooEarly";

  constructor(messageId: string) {
    super(`${messageId} is still to be asked about: what is reported of it is recorded after that`);
  }
}

/** Throws a {@link ReportedTooEarly} if the message's provider is still to be asked about it. */
export async function refuseWhileInDoubt(
  tx: Transaction,
  { messageId, status }: Pick<MessageProgress, "messageId" | "status">,
): Promise<void> {
  if (status === "QUEUED" && (await isInDoubt(tx, messageId))) refuse(messageId);
}

/** Throws a {@link ReportedTooEarly} if a call that may have been dialled already will have this message. */
export async function refuseBeforeCall(tx: Transaction, messageId: string): Promise<void> {
  const requestId = readCallMessageId(messageId);
  if (requestId === undefined) return;
  const horizons = await listHorizons(tx);
  if (!horizons.some(({ lastRequestId }) => requestId <= lastRequestId)) return;
  const call = await findCall(tx, requestId);
  if (call === undefined || callMessageId(call) !== messageId || !canReach("ttsCall", call.status, "DIALING")) return;
  refuse(messageId);
}

function refuse(messageId: string): never {
  reached("what is reported of a message in doubt is to be reported again");
  throw new ReportedTooEarly(messageId);
}
