// The operator's decisions about tenants: which are disabled, and how many requests they may make.

import { noteChange } from "./carriers.ts";
import type { Transaction } from "./store.ts";

export interface TenantStanding {
  readonly tenantId: number;
  /** When it was disabled, in epoch milliseconds, why and by whom; null for one that is not. */
  readonly disabledAt: number | null;
  readonly disabledReason: string | null;
  readonly disabledBy: string | null;
  /** Requests a second and at once, as in 50:200; null for the server's own rate. */
  readonly rateLimit: string | null;
}

const columns = `tenant_id AS "tenantId", disabled_at AS "disabledAt", disabled_reason AS "disabledReason",
  disabled_by AS "disabledBy", rate_limit AS "rateLimit"`;

export function listStandings(tx: Transaction): Promise<TenantStanding[]> {
  return tx.all<TenantStanding>(`SELECT ${columns} FROM tenants ORDER BY tenant_id`);
}

/** The tenant's, held for update; undefined for a tenant that there is not. */
export function holdStanding(tx: Transaction, tenantId: number): Promise<TenantStanding | undefined> {
  return tx.get<TenantStanding>(`SELECT ${columns} FROM tenants WHERE tenant_id = $1 FOR UPDATE`, tenantId);
}

/** The tenants that are disabled. */
export async function listDisabled(tx: Transaction): Promise<number[]> {
  const rows = await tx.all<{ tenantId: number }>(
    `SELECT tenant_id AS "tenantId" FROM tenants WHERE disabled_at IS NOT NULL`,
  );
  return rows.map(({ tenantId }) => tenantId);
}

/** Saves what is decided, and has every instance look at it before it gives a message to a carrier. */
export async function saveStanding(tx: Transaction, standing: TenantStanding): Promise<void> {
  const { tenantId, disabledAt, disabledReason, disabledBy, rateLimit } = standing;
  await tx.run(
    `UPDATE tenants SET disabled_at = $2, disabled_reason = $3, disabled_by = $4, rate_limit = $5 WHERE tenant_id = $1`,
    tenantId,
    disabledAt,
    disabledReason,
    disabledBy,
    rateLimit,
  );
  await noteChange(tx);
}

/** Ends all sessions of the tenant's users. */
export async function endSessionsOfTenant(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run("DELETE FROM sessions WHERE user_id IN (SELECT user_id FROM users WHERE tenant_id = $1)", tenantId);
}
