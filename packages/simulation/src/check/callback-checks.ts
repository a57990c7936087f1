// What receivers of callbacks were told when all work of a world has ended, in which no backup was put back.

import type { Database } from "../world/database.ts";
import type { Surroundings } from "../world/instance.ts";
import { Violation } from "./violation.ts";

const ENDED = "voice.tts_call.finalized";
const CHANGED = "voice.tts_call.updated";

/** Each change is told by one callback. */
export function checkToldOnce({ receivers }: Surroundings): void {
  const told = new Map<string, string>();
  for (const [webhookId, { type, data }] of receivers.posted) {
    const subject = `${type} ${JSON.stringify(data)}`;
    const other = told.get(subject);
    if (other !== undefined)
      throw new Violation("a change is told once", `${webhookId} and ${other} are both ${subject}`);
    told.set(subject, webhookId);
  }
}

/** No change of a call is first told after its end. */
export function checkOrder({ receivers }: Surroundings): void {
  const ended = new Set<unknown>();
  for (const { type, data } of receivers.begun.values()) {
    if (type === ENDED) ended.add(data.requestId);
    if (type !== CHANGED || !ended.has(data.requestId)) continue;
    throw new Violation("a call's callbacks come in order", `call ${data.requestId} was ${data.status} after its end`);
  }
}

interface CallRow {
  readonly requestId: number;
  readonly url: string;
  readonly status: string;
}

/** The end of each call was told to the receiver that its caller named, if that takes anything. */
export async function checkEndsTold(database: Database, { receivers }: Surroundings): Promise<void> {
  const ends = new Map(
    Array.from(receivers.posted.values()).flatMap(({ url, type, data }) =>
      type === ENDED ? [[String(data.requestId), url] as const] : [],
    ),
  );
  const calls = await database.all<CallRow>(
    `SELECT c.request_id AS "requestId", b.callback_url AS url, c.status FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
      WHERE b.callback_url IS NOT NULL AND b.is_accepted = 1 AND c.status <> 'REJECTED'`,
  );
  for (const { requestId, url, status } of calls) {
    const toldTo = ends.get(String(requestId));
    if (toldTo === url || (toldTo === undefined && (receivers.gone.has(url) || receivers.isDown(url)))) continue;
    throw new Violation("the end of a call is told", `call ${requestId} is ${status}, and ${url} was not told`);
  }
}
