import type { Transaction } from "./store.ts";

/** Whether a tenant's sends are meant to reach anybody. */
export type TenantMode = "live" | "test";

export interface TenantRow {
  readonly tenantId: number;
  readonly name: string;
  readonly timezone: string;
  readonly mode: TenantMode;
}

const columns = `tenant_id AS "tenantId", name, timezone, mode`;

/** Adds a tenant, live by default. */
export async function insertTenant(
  tx: Transaction,
  tenant: { name: string; timezone: string; mode?: TenantMode; now: number },
): Promise<TenantRow> {
  const row = await tx.get<TenantRow>(
    `INSERT INTO tenants (name, timezone, mode, created_at) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
    tenant.name,
    tenant.timezone,
    tenant.mode ?? "live",
    tenant.now,
  );
  if (row === undefined) throw new Error("the new tenant came back without a row");
  return row;
}

/** Restores a tenant under its former id. */
export async function restoreTenant(tx: Transaction, tenant: TenantRow & { now: number }): Promise<void> {
  await tx.run(
    "INSERT INTO tenants (tenant_id, name, timezone, mode, created_at) VALUES ($1, $2, $3, $4, $5)",
    tenant.tenantId,
    tenant.name,
    tenant.timezone,
    tenant.mode,
    tenant.now,
  );
}

/** How many users and keys the tenant has is changed by one transaction at a time: the one that holds it. */
export function holdTenant(tx: Transaction, tenantId: number): void {
  tx.hold("SELECT tenant_id FROM tenants WHERE tenant_id = $1 FOR NO KEY UPDATE", tenantId);
}

export function findTenant(tx: Transaction, tenantId: number): Promise<TenantRow | undefined> {
  return tx.get<TenantRow>(`SELECT ${columns} FROM tenants WHERE tenant_id = $1`, tenantId);
}

/** The first tenant with this name and merchant. */
export function findTenantByMerchant(
  tx: Transaction,
  name: string,
  merchantId: string,
): Promise<TenantRow | undefined> {
  return tx.get<TenantRow>(
    `SELECT ${columns} FROM tenants t
      WHERE name = $1 AND EXISTS (SELECT 1 FROM merchants m WHERE m.tenant_id = t.tenant_id AND m.merchant_id = $2)
      ORDER BY t.tenant_id LIMIT 1`,
    name,
    merchantId,
  );
}

export function listTenants(tx: Transaction): Promise<TenantRow[]> {
  return tx.all<TenantRow>(`SELECT ${columns} FROM tenants ORDER BY tenant_id`);
}
