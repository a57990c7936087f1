// A tenant's messages on their way to a carrier and with it, for the tenant to watch. Only its own rows are read: another
// tenant's are neither counted nor felt.

import type { Transaction } from "./store.ts";

export interface TenantDispatches {
  /** Messages that a carrier has, or may have. */
  readonly handedOver: number;
  /** When the first of them was accepted, in epoch milliseconds. */
  readonly handedOverSince: number | null;
  /** Those among them that a carrier may or may not have taken. */
  readonly inDoubt: number;
  /** Messages that wait in a carrier's line, or for another attempt. */
  readonly waiting: number;
  /** When the first of them was accepted, in epoch milliseconds. */
  readonly waitingSince: number | null;
  /** Whether dispatches behind the first `most` were not looked at. */
  readonly isMore: boolean;
}

/** A tenant's messages in a carrier's line. */
export interface TenantLine {
  readonly carrier: string;
  readonly waiting: number;
  /** When the first of it was accepted, in epoch milliseconds. */
  readonly since: number | null;
}

const isWaiting = "state IN ('waiting', 'ready')";

/** Counts the tenant's dispatches among the first `most`, the first accepted first. */
export async function countTenantDispatches(
  tx: Transaction,
  tenantId: number,
  most: number,
): Promise<TenantDispatches> {
  const row = await tx.get<Omit<TenantDispatches, "isMore"> & { looked: number }>(
    `SELECT COUNT(*) AS looked,
            COUNT(CASE WHEN NOT ${isWaiting} THEN 1 END) AS "handedOver",
            MIN(CASE WHEN NOT ${isWaiting} THEN accepted_at END) AS "handedOverSince",
            COUNT(CASE WHEN state = 'reconciling' THEN 1 END) AS "inDoubt",
            COUNT(CASE WHEN ${isWaiting} THEN 1 END) AS waiting,
            MIN(CASE WHEN ${isWaiting} THEN accepted_at END) AS "waitingSince"
       FROM (SELECT state, accepted_at FROM dispatches WHERE tenant_id = $1 ORDER BY accepted_at LIMIT $2) AS counted`,
    tenantId,
    most,
  );
  const { looked = 0, ...counts } = row ?? {};
  const nothing = { handedOver: 0, handedOverSince: null, inDoubt: 0, waiting: 0, waitingSince: null };
  return { ...nothing, ...counts, isMore: looked === most };
}

/** The lines in which the tenant's first `most` dispatches wait. */
export function listTenantLines(tx: Transaction, tenantId: number, most: number): Promise<TenantLine[]> {
  return tx.all<TenantLine>(
    `SELECT carrier, COUNT(*) AS waiting, MIN(accepted_at) AS since
       FROM (SELECT carrier, state, accepted_at FROM dispatches WHERE tenant_id = $1 ORDER BY accepted_at LIMIT $2) AS counted
      WHERE state = 'waiting' AND carrier IS NOT NULL GROUP BY carrier`,
    tenantId,
    most,
  );
}
