// Receivers that keep silent, and are left alone for a while: see rules/receiver-rests.ts.

import type { LineKey } from "./callback-lines.ts";
import type { Transaction } from "./store.ts";

export interface RestingReceiver {
  readonly receiver: string;
  /** Rests since its last answer. */
  readonly rests: number;
  /** When the next callback is tried, in epoch milliseconds. */
  readonly dueAt: number;
}

/** The first `limit` of the tenant's, in the order of their names, among the first `looked` that anything waits for. */
export function listRestingReceivers(
  tx: Transaction,
  { tenantId, looked, limit }: { tenantId: number; looked: number; limit: number },
): Promise<RestingReceiver[]> {
  return tx.all<RestingReceiver>(
    `SELECT receiver, rests, due_at AS "dueAt" FROM
      (SELECT receiver, rests, due_at FROM callback_lines WHERE tenant_id = $1 ORDER BY receiver LIMIT $2) AS looked
      WHERE rests > 0 ORDER BY receiver LIMIT $3`,
    tenantId,
    looked,
    limit,
  );
}

/** The tenant's receiver, if it rests. */
export function findRestingReceiver(
  tx: Transaction,
  { tenantId, receiver }: LineKey,
): Promise<RestingReceiver | undefined> {
  return tx.get<RestingReceiver>(
    `SELECT receiver, rests, due_at AS "dueAt" FROM callback_lines WHERE tenant_id = $1 AND receiver = $2 AND rests > 0`,
    tenantId,
    receiver,
  );
}
