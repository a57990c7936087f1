// What a tenant has that waits to be handed over: messages, and calls that are not dialled yet.

import type { Query, SqlValue } from "./store.ts";

/** The calls that no carrier was asked to place. */
export const undialledStates: readonly string[] = ["SCHEDULED", "QUEUED", "SYNTHESIZING"];

const inDispatches = "SELECT message_id FROM dispatches WHERE state IN ('waiting', 'ready') AND tenant_id = $1";
const inIndex =
  "SELECT message_id FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL AND tenant_id = $1";
const inTable = "SELECT message_id FROM outbox WHERE lease_token IS NULL AND tenant_id = $1";

/** The ids of the messages, those of calls that wait to be dialled too. Reads all that waits, and what carriers have taken. */
export function queuedMessagesQuery(
  { hasQueueTable }: { readonly hasQueueTable: boolean },
  tenantId: number,
): Query<{ readonly messageId: string }> {
  const accepted = hasQueueTable ? inTable : inIndex;
  const sql = `SELECT message_id AS "messageId" FROM (${accepted} UNION ALL ${inDispatches}) AS queued LIMIT $2`;
  return { sql, values: [tenantId], isWalk: true };
}

/** A call that is not dialled yet. */
export interface UndialledCall {
  readonly requestId: number;
  readonly createdAt: number;
  /** Of a single call, which has a message from the beginning. */
  readonly messageId: string | null;
}

/** The calls of accepted batches that are not dialled yet. */
export function undialledCallsQuery(tenantId: number): Query<UndialledCall> {
  const values: SqlValue[] = [tenantId];
  const states = undialledStates.map((state) => `'${state}'`).join(", ");
  const sql = `SELECT c.request_id AS "requestId", b.created_at AS "createdAt", c.message_id AS "messageId"
      FROM tts_batches b JOIN tts_calls c ON c.batch_id = b.batch_id
     WHERE b.tenant_id = $1 AND b.is_accepted = 1 AND b.pending + b.scheduled > 0 AND c.status IN (${states}) LIMIT $2`;
  return { sql, values, isWalk: true };
}
