// Whether any message of a time range is still to be charged, or to end. Found by two indexes, one of queued messages
// and one of those in dispatch; both hold open messages only.

import { queueOf } from "./engine.ts";
import { queueOrders } from "./queue/floors.ts";
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

/** Those that SMS and email have; a call may have another. */
const ordersOfPaid = [queueOrders.HIGH, queueOrders.NORMAL];

/** Whether a paid SMS or email of the range is open. */
export async function hasOpenItems(tx: Transaction, range: OpenRange): Promise<boolean> {
  const { tenantId, fromMs, toMs, fromId, toId, freshAfterMs } = range;
  for (const order of ordersOfPaid) {
    if (await queueOf(tx).hasItems(tx, { tenantId, order, fromId, toId, fromMs, toMs })) return true;
  }
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
