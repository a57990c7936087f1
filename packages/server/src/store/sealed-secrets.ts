// Everything that is sealed with the secret key, of all tenants.

import type { Transaction } from "./store.ts";

export interface SealedPassword {
  readonly tenantId: number;
  readonly userId: number;
  readonly sealed: string;
}

export interface SealedCallbackSecret {
  readonly tenantId: number;
  readonly secretId: number;
  readonly sealed: string;
}

export interface SealedCarrier {
  readonly name: string;
  readonly tenantId: number;
  readonly channel: string;
  readonly sealed: string;
}

export function listSealedPasswords(tx: Transaction): Promise<SealedPassword[]> {
  return tx.all(
    `SELECT tenant_id AS "tenantId", user_id AS "userId", sealed_password AS sealed FROM sip_users
      WHERE sealed_password IS NOT NULL ORDER BY tenant_id, user_id`,
  );
}

export async function replaceSealedPassword(
  tx: Transaction,
  { tenantId, userId, sealed }: SealedPassword,
): Promise<void> {
  await tx.run(
    "UPDATE sip_users SET sealed_password = $3 WHERE tenant_id = $1 AND user_id = $2",
    tenantId,
    userId,
    sealed,
  );
}

/** The secrets that callbacks are signed with at `now`, or are from then on. */
export function listSealedCallbackSecrets(tx: Transaction, now: number): Promise<SealedCallbackSecret[]> {
  return tx.all(
    `SELECT tenant_id AS "tenantId", secret_id AS "secretId", sealed_secret AS sealed FROM callback_secrets
      WHERE expires_at IS NULL OR expires_at > $1 ORDER BY secret_id`,
    now,
  );
}

export async function replaceSealedCallbackSecret(
  tx: Transaction,
  { secretId, sealed }: Omit<SealedCallbackSecret, "tenantId">,
): Promise<void> {
  await tx.run("UPDATE callback_secrets SET sealed_secret = $2 WHERE secret_id = $1", secretId, sealed);
}

export function listSealedCarriers(tx: Transaction): Promise<SealedCarrier[]> {
  return tx.all(
    `SELECT name, tenant_id AS "tenantId", channel, sealed_settings AS sealed FROM carriers
      WHERE removed_at IS NULL ORDER BY name`,
  );
}

export async function replaceSealedCarrier(
  tx: Transaction,
  { name, sealed }: Pick<SealedCarrier, "name" | "sealed">,
): Promise<void> {
  await tx.run("UPDATE carriers SET sealed_settings = $2 WHERE name = $1", name, sealed);
}
