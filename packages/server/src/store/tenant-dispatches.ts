// What of a tenant's messages is with a carrier, for the tenant to watch. Only its own rows are read: another tenant's are
// neither counted nor felt.

import type { Transaction } from "./store.ts";

export interface TenantDispatches {
  readonly count: number;
  /** Those among them that a carrier may or may not have taken. */
  readonly inDoubt: number;
  /** When the first of them was accepted, in epoch milliseconds. */
  readonly since: number | null;
}

/** The tenant's dispatches, the first accepted first, at most `most`. */
export async function countTenantDispatches(
  tx: Transaction,
  tenantId: number,
  most: number,
): Promise<TenantDispatches> {
  const row = await tx.get<TenantDispatches>(
    `SELECT COUNT(*) AS count, COALESCE(SUM(CASE WHEN state = 'reconciling' THEN 1 ELSE 0 END), 0) AS "inDoubt",
            MIN(accepted_at) AS since
       FROM (SELECT state, accepted_at FROM dispatches WHERE tenant_id = $1 ORDER BY accepted_at LIMIT $2) AS counted`,
    tenantId,
    most,
  );
  return row ?? { count: 0, inDoubt: 0, since: null };
}
