// Stores erasures of recipients: their progress, and the open messages and calls that they must visit again.

import { findValue, listValues, type Transaction } from "../../store/store.ts";
import { eraseParts, removeCarrierWords } from "../messages/rows.ts";

export interface ErasureRow {
  readonly erasureId: number;
  readonly tenantId: number;
  /** The merchant whose messages are erased; null for all of the tenant's. */
  readonly merchantId: string | null;
  /** The recipient's contact, as in messages; null once the erasure has ended. */
  readonly contact: string | null;
  readonly digest: string;
  readonly askedAt: number;
  readonly endedAt: number | null;
  /** Messages and calls erased so far. */
  readonly erased: number;
  /** The last message examined; null once all have been. */
  readonly messagesAfter: string | null;
  /** The last call examined; null once all have been. */
  readonly callsAfter: number | null;
}

const columns = `erasure_id AS "erasureId", tenant_id AS "tenantId", merchant_id AS "merchantId", contact, digest,
  asked_at AS "askedAt", ended_at AS "endedAt", erased, messages_after AS "messagesAfter", calls_after AS "callsAfter"`;

/** Adds an erasure that has not examined anything yet. */
export async function insertErasure(
  tx: Transaction,
  erasure: Pick<ErasureRow, "tenantId" | "merchantId" | "digest" | "askedAt"> & { contact: string },
): Promise<number> {
  const { tenantId, merchantId, contact, digest, askedAt } = erasure;
  const row = await tx.get<{ erasureId: number }>(
    `INSERT INTO erasures (tenant_id, merchant_id, contact, digest, asked_at, messages_after, calls_after)
     VALUES ($1, $2, $3, $4, $5, '', 0) RETURNING erasure_id AS "erasureId"`,
    tenantId,
    merchantId,
    contact,
    digest,
    askedAt,
  );
  if (row === undefined) throw new Error("an erasure was added without an id");
  return row.erasureId;
}

/** Finds the erasure, and locks it until the transaction ends. */
export function lockErasure(tx: Transaction, erasureId: number): Promise<ErasureRow | undefined> {
  return tx.get<ErasureRow>(`SELECT ${columns} FROM erasures WHERE erasure_id = $1 FOR UPDATE`, erasureId);
}

export async function saveErasure(
  tx: Transaction,
  { erasureId, contact, endedAt, erased, messagesAfter, callsAfter }: ErasureRow,
): Promise<void> {
  await tx.run(
    `UPDATE erasures SET contact = $2, ended_at = $3, erased = $4, messages_after = $5, calls_after = $6
      WHERE erasure_id = $1`,
    erasureId,
    contact,
    endedAt,
    erased,
    messagesAfter,
    callsAfter,
  );
}

/** Lists the erasures of a tenant's recipient, newest first. */
export function listErasures(
  tx: Transaction,
  { tenantId, digest, limit }: { tenantId: number; digest: string; limit: number },
): Promise<ErasureRow[]> {
  return tx.all<ErasureRow>(
    `SELECT ${columns} FROM erasures WHERE tenant_id = $1 AND digest = $2 ORDER BY erasure_id DESC LIMIT $3`,
    tenantId,
    digest,
    limit,
  );
}

/** Selects messages or calls to a recipient. */
interface Sought {
  readonly tenantId: number;
  readonly contact: string;
  /** Only those accepted by this time, in epoch milliseconds. */
  readonly until: number;
  readonly limit: number;
}

/** A range of keys, from the one after `after` up to `last`. */
interface KeyRange<Key> {
  readonly after: Key;
  readonly last: Key;
}

/** Finds the last of the next `examined` messages after `after`; undefined if there is none. */
export function findLastMessage(tx: Transaction, after: string, examined: number): Promise<string | undefined> {
  return findValue<string>(tx, lastOfRange("messages", "message_id"), after, examined);
}

const lastOfRange = (table: string, key: string) =>
  `SELECT MAX(${key}) AS last FROM (SELECT ${key} FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT $2) AS examined`;

/** Lists the ids of messages to the recipient within a range of keys, in order. */
export function listMessagesTo(
  tx: Transaction,
  { after, last }: KeyRange<string>,
  { tenantId, contact, until, limit }: Sought,
): Promise<string[]> {
  return listValues<string>(
    tx,
    `SELECT message_id AS "messageId" FROM messages
      WHERE message_id > $1 AND message_id <= $2 AND tenant_id = $3 AND lower(recipient) = $4 AND created_at <= $5
      ORDER BY message_id LIMIT $6`,
    after,
    last,
    tenantId,
    contact,
    until,
    limit,
  );
}

/** Finds the last of the next `examined` calls after `after`; undefined if there is none. */
export function findLastCall(tx: Transaction, after: number, examined: number): Promise<number | undefined> {
  return findValue<number>(tx, lastOfRange("tts_calls", "request_id"), after, examined);
}

/** Lists calls to the recipient within a range of keys, in order. */
export function listCallsTo(
  tx: Transaction,
  { after, last }: KeyRange<number>,
  { tenantId, contact, until, limit }: Sought,
): Promise<{ requestId: number; createdAt: number }[]> {
  return tx.all(
    `SELECT c.request_id AS "requestId", b.created_at AS "createdAt"
       FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
      WHERE c.request_id > $1 AND c.request_id <= $2 AND c.to_number = $3 AND b.tenant_id = $4 AND b.created_at <= $5
      ORDER BY c.request_id LIMIT $6`,
    after,
    last,
    contact,
    tenantId,
    until,
    limit,
  );
}

/** Erases a message's recipient and texts. */
export async function eraseMessage(
  tx: Transaction,
  messageId: string,
  { recipient, now }: { recipient: string; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE messages SET recipient = $2, subject = NULL, content = '', long_bytes = NULL WHERE message_id = $1",
    messageId,
    recipient,
  );
  await tx.run("DELETE FROM long_contents WHERE message_id = $1", messageId);
  // a carrier's error text may contain the recipient
  await removeCarrierWords(tx, messageId);
  await eraseParts(tx, messageId);
  await noteErased(tx, messageId, now);
}

/** Erases a call's number, and its batch's text if the batch has no other call. */
export async function eraseCall(
  tx: Transaction,
  requestId: number,
  { messageId, number, now }: { messageId: string; number: string; now: number },
): Promise<void> {
  await tx.run("UPDATE tts_calls SET to_number = $2 WHERE request_id = $1", requestId, number);
  await tx.run(
    `UPDATE tts_batches SET message_text = ''
      WHERE total_calls = 1 AND batch_id = (SELECT batch_id FROM tts_calls WHERE request_id = $1)`,
    requestId,
  );
  await noteErased(tx, messageId, now);
}

async function noteErased(tx: Transaction, messageId: string, now: number): Promise<void> {
  await tx.run(
    "INSERT INTO erased_messages (erased_at, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    now,
    messageId,
  );
}

interface ErasedMessage {
  readonly erasedAt: number;
  readonly messageId: string;
}

/** Lists erased messages and calls in the order of their erasure, from the one after the given one. */
export function listErasedAfter(
  tx: Transaction,
  { erasedAt, messageId }: ErasedMessage,
  limit: number,
): Promise<ErasedMessage[]> {
  return tx.all<ErasedMessage>(
    `SELECT erased_at AS "erasedAt", message_id AS "messageId" FROM erased_messages
      WHERE (erased_at, message_id) > ($1, $2) ORDER BY erased_at, message_id LIMIT $3`,
    erasedAt,
    messageId,
    limit,
  );
}

/** Records a message or call that has not ended: the erasure must return to it. */
export async function addOpenErasure(tx: Transaction, erasureId: number, messageId: string): Promise<void> {
  await tx.run(
    "INSERT INTO open_erasures (erasure_id, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    erasureId,
    messageId,
  );
}

export async function removeOpenErasure(tx: Transaction, erasureId: number, messageId: string): Promise<void> {
  await tx.run("DELETE FROM open_erasures WHERE erasure_id = $1 AND message_id = $2", erasureId, messageId);
}

/** Lists the first messages and calls that an erasure must return to, in order. */
export function listOpenErasures(tx: Transaction, erasureId: number, limit: number): Promise<string[]> {
  return listValues<string>(
    tx,
    `SELECT message_id AS "messageId" FROM open_erasures WHERE erasure_id = $1 ORDER BY message_id LIMIT $2`,
    erasureId,
    limit,
  );
}
