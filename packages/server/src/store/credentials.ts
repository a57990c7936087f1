import type { Transaction } from "./store.ts";

/** An API key with one of its secrets that had not expired at the time of reading. */
export interface CredentialRow {
  readonly apiKey: string;
  readonly secretHash: string;
  readonly tenantId: number;
  readonly timezone: string;
  /** The one merchant that the credential may act for; null for a tenant's credential. */
  readonly merchantId: string | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

export async function insertCredential(
  tx: Transaction,
  credential: { apiKey: string; secretHash: string; tenantId: number; merchantId: string | null; now: number },
): Promise<void> {
  await tx.run(
    "INSERT INTO credentials (api_key, tenant_id, merchant_id, created_at) VALUES ($1, $2, $3, $4)",
    credential.apiKey,
    credential.tenantId,
    credential.merchantId,
    credential.now,
  );
  await tx.run(
    "INSERT INTO credential_secrets (api_key, secret_hash, created_at) VALUES ($1, $2, $3)",
    credential.apiKey,
    credential.secretHash,
    credential.now,
  );
}

/** One row for each secret of the key that is valid at `now`: two while a rotation overlaps, none for an unknown key. */
export function findCredential(tx: Transaction, apiKey: string, now: number): Promise<CredentialRow[]> {
  return tx.all<CredentialRow>(
    `SELECT c.api_key AS "apiKey", s.secret_hash AS "secretHash", c.tenant_id AS "tenantId", t.timezone,
            c.merchant_id AS "merchantId", c.revoked_at AS "revokedAt", s.expires_at AS "expiresAt"
       FROM credentials c
       JOIN tenants t ON t.tenant_id = c.tenant_id
       JOIN credential_secrets s ON s.api_key = c.api_key AND (s.expires_at IS NULL OR s.expires_at > $2)
      WHERE c.api_key = $1`,
    apiKey,
    now,
  );
}
