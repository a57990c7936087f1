// Whether any message of a time range is still to be charged, or to end. Found by two indexes, one of queued messages
// and one of those in dispatch; both hold open messages only.

import { NORMAL_ORDER } from "./messages.ts";
import type { Transaction } from "./store.ts";

export interface OpenRange {
  readonly tenantId: number;
  /** Acceptance, in epoch milliseconds: from, included, to, excluded. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The same in message ids, with room for a clock that was set back. */
  readonly fromId: string;
  readonly toId: string;
  /** Messages already charged count only if accepted after this. */
  readonly freshAfterMs: number;
}

/** Whether a paid SMS or email of the range is open. */
export async function hasOpenItems(tx: Transaction, range: OpenRange): Promise<boolean> {
  const { tenantId, fromMs, toMs, fromId, toId, freshAfterMs } = range;
  const queued = await tx.get(
    `SELECT 1 AS found FROM messages
      WHERE status = 'QUEUED' AND queue_order IS NOT NULL AND queue_order = $1 AND message_id >= $2 AND message_id < $3
        AND tenant_id = $4 AND created_at >= $5 AND created_at < $6 AND channel <> 'VOICE' AND units > 0 LIMIT 1`,
    NORMAL_ORDER,
    fromId,
    toId,
    tenantId,
    fromMs,
    toMs,
  );
  if (queued !== undefined) return true;
  const underWay = await tx.get(
    `SELECT 1 AS found FROM dispatches d JOIN messages m ON m.message_id = d.message_id
      WHERE d.tenant_id = $1 AND d.accepted_at >= $2 AND d.accepted_at < $3
        AND m.channel <> 'VOICE' AND m.units > 0 AND (m.charge = 'RESERVED' OR d.accepted_at > $4) LIMIT 1`,
    tenantId,
    fromMs,
    toMs,
    freshAfterMs,
  );
  return underWay !== undefined;
}
