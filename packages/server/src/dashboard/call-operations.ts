// Shows text-to-speech calls and their batches with what belongs to them: the message, the speech, the callbacks.

import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import { countCallbacksOfBatch, findEndCallback, listCallbacksAbout } from "../domain/callbacks/list-rows.ts";
import type { BatchRow } from "../domain/calls/batch-rows.ts";
import { findBatchTimes } from "../domain/calls/rows.ts";
import { readBatch, readCall, viewBatch, viewCall } from "../domain/calls/views.ts";
import { callMessageId } from "../domain/messages/rules.ts";
import { readMessageStory } from "../domain/recipients/story.ts";
import type { Transaction } from "../store/store.ts";
import { viewCallback } from "./callback-operations.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import { viewMessage } from "./message-operations.ts";

const MOST_CALLBACKS = 20;
/** Maximum number of a batch's callbacks that are counted in each state. */
const MOST_COUNTED = 10_000;

export const callHandlers: DashboardHandlers<"getCall" | "getBatch"> = {
  getCall: {
    async read({ tx, caller, now }, { path }) {
      const call = await readCall(tx, caller, Number(path.requestId));
      const message = await readMessageStory(tx, caller, { messageId: call.messageId ?? callMessageId(call), now });
      const callbacks = call.callbackUrl === null ? [] : await listCallbacksAbout(tx, call.requestId, MOST_CALLBACKS);
      return {
        call: viewCall(call),
        message: viewMessage(message),
        spokenAt: viewTime(call.spokenAt),
        callbackUrl: call.callbackUrl,
        callbacks: callbacks.map(viewCallback),
      };
    },
  },
  getBatch: {
    async read({ tx, caller }, { path }) {
      const batch = await readBatch(tx, caller, Number(path.batchId));
      const { startedAt, spokenAt, nextStartAt, lastStartAt } = await findBatchTimes(tx, batch.batchId);
      return {
        batch: viewBatch(batch),
        refused: batch.totalCalls - batch.admittedCalls,
        scheduledAt: viewTime(batch.scheduledAt),
        startedAt: viewTime(startedAt),
        spokenAt: viewTime(spokenAt),
        nextStartAt: viewTime(nextStartAt),
        lastStartAt: viewTime(lastStartAt),
        callbackUrl: batch.callbackUrl,
        ...(await readCallbacks(tx, batch)),
      };
    },
  },
};

async function readCallbacks(
  tx: Transaction,
  { batchId, callbackUrl, completedAt }: BatchRow,
): Promise<Pick<Views["BatchDetails"], "callbacks" | "endCallback">> {
  const count = async (status: Views["CallbackStatus"]) => {
    if (callbackUrl === null) return { count: 0, isMore: false };
    const counted = await countCallbacksOfBatch(tx, { batchId, status, most: MOST_COUNTED });
    return { count: counted, isMore: counted === MOST_COUNTED };
  };
  const isNotified = callbackUrl !== null && completedAt !== null;
  const end = isNotified ? await findEndCallback(tx, { batchId, completedAt }) : undefined;
  return {
    callbacks: {
      pending: await count("PENDING"),
      delivered: await count("DELIVERED"),
      failed: await count("FAILED"),
    },
    endCallback: end === undefined ? null : viewCallback(end),
  };
}
