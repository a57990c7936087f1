// Checks of the callbacks posted to receivers, at the end of a world in which no backup was restored.

import type { Database } from "../world/database.ts";
import type { Surroundings } from "../world/instance.ts";
import type { Posted } from "../world/receiver.ts";
import { Violation } from "./violation.ts";

const CALL_CHANGED = "voice.tts_call.updated";
const CALL_ENDED = "voice.tts_call.finalized";
const BATCH_ENDED = "voice.tts_batch.finalized";
const MESSAGE_CHANGED = "message.updated";
const TEXT_RECEIVED = "message.received";

/** Each change is posted as one callback. */
export function checkToldOnce({ receivers }: Surroundings): void {
  const told = new Map<string, string>();
  for (const [webhookId, { type, data }] of receivers.posted) {
    // a phone may send the same text twice
    if (type === TEXT_RECEIVED) continue;
    const subject = `${type} ${JSON.stringify(data)}`;
    const other = told.get(subject);
    if (other !== undefined)
      throw new Violation("a change is posted as one callback", `${webhookId} and ${other} are both ${subject}`);
    told.set(subject, webhookId);
  }
}

/** After a call's end was posted, none of its earlier changes is posted for the first time. */
export function checkOrder({ receivers }: Surroundings): void {
  const ended = new Set<unknown>();
  for (const { type, data } of receivers.begun.values()) {
    if (type === CALL_ENDED) ended.add(data.requestId);
    if (type !== CALL_CHANGED || !ended.has(data.requestId)) continue;
    throw new Violation("a call's callbacks come in order", `call ${data.requestId} was ${data.status} after its end`);
  }
}

/** The changes of a message are posted for the first time in their order. */
export function checkMessageOrder({ receivers }: Surroundings): void {
  const latest = new Map<unknown, number>();
  for (const { type, data } of receivers.begun.values()) {
    if (type !== MESSAGE_CHANGED) continue;
    const sequence = Number(data.sequence);
    if (sequence <= (latest.get(data.messageId) ?? 0))
      throw new Violation("a message's events come in order", `${data.messageId} was ${data.status} after its end`);
    latest.set(data.messageId, sequence);
  }
}

interface ToldRow {
  readonly id: number | string;
  readonly url: string;
}

interface CallRow extends ToldRow {
  readonly status: string;
  readonly finalStatus: string;
  readonly deliveryReason: string | null;
}

/** The end of each call was posted, as recorded, to the receiver that its caller named. */
export async function checkEndsTold(database: Database, { receivers }: Surroundings): Promise<void> {
  const calls = await database.all<CallRow>(
    `SELECT c.request_id AS id, b.callback_url AS url, c.status, c.final_status AS "finalStatus",
            c.delivery_reason AS "deliveryReason"
       FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
      WHERE b.callback_url IS NOT NULL AND b.is_accepted = 1 AND c.status <> 'REJECTED'`,
  );
  const told = toldBy(receivers, CALL_ENDED, "requestId");
  for (const call of calls) requireTold("the end of a call is posted", receivers, told, call);
}

interface BatchRow extends ToldRow {
  readonly success: number;
  readonly failed: number;
  readonly partial: number;
}

/** The end of each accepted batch was posted too, unless all of its calls were rejected. */
export async function checkBatchesTold(database: Database, { receivers }: Surroundings): Promise<void> {
  const batches = await database.all<BatchRow>(
    `SELECT batch_id AS id, callback_url AS url, success, failed, partial FROM tts_batches b
      WHERE callback_url IS NOT NULL AND is_accepted = 1
        AND EXISTS (SELECT 1 FROM tts_calls c WHERE c.batch_id = b.batch_id AND c.status <> 'REJECTED')`,
  );
  const told = toldBy(receivers, BATCH_ENDED, "batchId");
  for (const batch of batches) requireTold("the end of a batch is posted", receivers, told, batch);
}

interface MessageRow extends ToldRow {
  readonly status: string;
  readonly deliveryReason: string | null;
}

/** The state of each text and email of a tenant that is told was posted. */
export async function checkMessagesTold(database: Database, { receivers }: Surroundings): Promise<void> {
  const messages = await database.all<MessageRow>(
    `SELECT m.message_id AS id, e.url, m.status, m.delivery_reason AS "deliveryReason"
       FROM messages m JOIN event_subscriptions e ON e.tenant_id = m.tenant_id
      WHERE m.purpose = 'SEND' AND m.channel <> 'VOICE' AND m.status NOT IN ('QUEUED', 'SENDING')`,
  );
  const told = new Map<string, Posted>();
  for (const one of receivers.posted.values()) {
    if (one.type !== MESSAGE_CHANGED) continue;
    const id = String(one.data.messageId);
    if (Number(one.data.sequence) > Number(told.get(id)?.data.sequence ?? 0)) told.set(id, one);
  }
  for (const message of messages) {
    // the receiver may have got an earlier state before it went down or answered 410
    if (receivers.gone.has(message.url) || receivers.isDown(message.url)) continue;
    requireTold("the state of a message is posted", receivers, told, message);
  }
}

type Told = ReadonlyMap<string, Posted>;

function toldBy({ posted }: Surroundings["receivers"], type: string, id: string): Told {
  return new Map(
    Array.from(posted.values()).flatMap((one) => (one.type === type ? [[String(one.data[id]), one] as const] : [])),
  );
}

/** Requires that the end was posted, unless its receiver is down or has answered 410 (Gone). */
function requireTold(invariant: string, receivers: Surroundings["receivers"], told: Told, row: ToldRow): void {
  const { id, url, ...state } = row;
  const posted = told.get(String(id));
  if (posted === undefined) {
    if (receivers.gone.has(url) || receivers.isDown(url)) return;
    throw new Violation(invariant, `${url} got no callback about ${id}`);
  }
  for (const [name, value] of Object.entries({ ...state, url })) {
    const said = name === "url" ? posted.url : posted.data[name];
    if (said !== value) throw new Violation(invariant, `${id}: ${name} is ${value}, but ${url} was sent ${said}`);
  }
}
