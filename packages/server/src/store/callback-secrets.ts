// The secrets that a tenant's callbacks are signed with, sealed. The newest comes first.

import type { Transaction } from "./store.ts";

/** The secrets valid at `now`, newest first: two while a rotation overlaps. */
export async function listCallbackSecrets(tx: Transaction, tenantId: number, now: number): Promise<string[]> {
  const rows = await tx.all<{ sealedSecret: string }>(
    `SELECT sealed_secret AS "sealedSecret" FROM callback_secrets
      WHERE tenant_id = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY secret_id DESC`,
    tenantId,
    now,
  );
  return rows.map(({ sealedSecret }) => sealedSecret);
}

/** Adds a secret as the tenant's newest. */
export async function insertCallbackSecret(
  tx: Transaction,
  { tenantId, sealedSecret, now }: { tenantId: number; sealedSecret: string; now: number },
): Promise<void> {
  await tx.run(
    "INSERT INTO callback_secrets (tenant_id, sealed_secret, created_at) VALUES ($1, $2, $3)",
    tenantId,
    sealedSecret,
    now,
  );
}

/** Lets the tenant's newest secret expire at `expiresAt`, and removes any older one, before a new one is added. */
export async function retireCallbackSecrets(tx: Transaction, tenantId: number, expiresAt: number): Promise<void> {
  await tx.run("DELETE FROM callback_secrets WHERE tenant_id = $1 AND expires_at IS NOT NULL", tenantId);
  await tx.run("UPDATE callback_secrets SET expires_at = $2 WHERE tenant_id = $1", tenantId, expiresAt);
}
