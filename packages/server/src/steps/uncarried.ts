// What of a tenant waits for a carrier that it does not have, for people to see.

import { countUncarriedMessages, lineWithoutCarrier } from "../store/carrier-lines.ts";
import type { Channel } from "../store/merchants.ts";
import type { Transaction } from "../store/store.ts";
import { countQueuedCalls, listWaitingSteps } from "../store/waiting-calls.ts";
import type { BeginCalls } from "./call-jobs.ts";

/** Batches whose calls one count looks at. */
const MOST_BATCHES = 1_000;

export interface Uncarried {
  /** Messages, and calls that have no message yet: as many as were counted, or more. */
  readonly waiting: number;
  /** When the oldest of them was accepted, in epoch milliseconds; null without any. */
  readonly oldestAt: number | null;
}

/** Counts up to `most`. */
export async function countUncarried(
  tx: Transaction,
  { tenantId, channel, most }: { tenantId: number; channel: Channel; most: number },
): Promise<Uncarried> {
  const messages = await countUncarriedMessages(tx, { carrier: lineWithoutCarrier(channel), tenantId, most });
  if (channel !== "VOICE") return messages;
  const steps = await listWaitingSteps(tx, tenantId, MOST_BATCHES);
  const batchIds = steps.map(({ subject }) => (JSON.parse(subject) as BeginCalls).batchId);
  const calls = await countQueuedCalls(tx, [...new Set(batchIds)], most);
  const moments = [messages.oldestAt, calls.oldestAt].filter((at) => at !== null);
  return {
    waiting: Math.min(messages.waiting + calls.waiting, most),
    oldestAt: moments.length === 0 ? null : Math.min(...moments),
  };
}
