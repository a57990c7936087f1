// Steps of calls that wait for somebody who can speak in them, and place them: each of a batch.

import type { Transaction } from "./store.ts";

/** The kind of these steps. */
export const WAITING_CALLS = "calls.wait";
const isWaiting = `kind = '${WAITING_CALLS}'`;

/** The tenants of which calls wait, up to `limit` behind `after`, in order. */
export async function listTenantsOfWaitingCalls(
  tx: Transaction,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const tenants: number[] = [];
  for (let last = after; tenants.length < limit; ) {
    const row = await tx.get<{ tenantId: number | null }>(
      `SELECT MIN(tenant_id) AS "tenantId" FROM jobs WHERE ${isWaiting} AND tenant_id > $1`,
      last,
    );
    if (typeof row?.tenantId !== "number") break;
    last = row.tenantId;
    tenants.push(last);
  }
  return tenants;
}

/** Has a tenant's steps fall due. Returns how many there are that were not. */
export function wakeCallsOf(tx: Transaction, tenantId: number, now: number): Promise<number> {
  return tx.run(`UPDATE jobs SET due_at = $2 WHERE ${isWaiting} AND tenant_id = $1 AND due_at > $2`, tenantId, now);
}

/** What the first steps are about, up to `limit`: a tenant's, or all. */
export function listWaitingSteps(
  tx: Transaction,
  tenantId: number | undefined,
  limit: number,
): Promise<{ subject: string }[]> {
  return tenantId === undefined
    ? tx.all(`SELECT subject FROM jobs WHERE ${isWaiting} ORDER BY tenant_id, job_id LIMIT $1`, limit)
    : tx.all(
        `SELECT subject FROM jobs WHERE ${isWaiting} AND tenant_id = $2 ORDER BY job_id LIMIT $1`,
        limit,
        tenantId,
      );
}

/** The calls of batches that have not begun, up to `most`, and when the first of them was accepted, in epoch milliseconds. */
export async function countQueuedCalls(
  tx: Transaction,
  batchIds: readonly number[],
  most: number,
): Promise<{ waiting: number; oldestAt: number | null }> {
  if (batchIds.length === 0) return { waiting: 0, oldestAt: null };
  const row = await tx.get<{ waiting: number; oldestAt: number | null }>(
    `SELECT COUNT(*) AS waiting, MIN(accepted_at) AS "oldestAt" FROM
       (SELECT b.created_at AS accepted_at FROM tts_batches b JOIN tts_calls c ON c.batch_id = b.batch_id
         WHERE b.batch_id IN (${batchIds.map((_id, index) => `$${index + 2}`).join(", ")}) AND c.status = 'QUEUED'
         LIMIT $1) AS counted`,
    most,
    ...batchIds,
  );
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldestAt ?? null };
}
