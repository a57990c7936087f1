import type { Transaction } from "./store.ts";

export interface IdempotencyKey {
  readonly tenantId: number;
  readonly operation: string;
  readonly key: string;
}

export interface IdempotencyRow {
  readonly fingerprint: string;
  /** JSON: what the first call made, as its operation wrote it. */
  readonly reference: string;
}

/** The successful call that used the key, unless it is past its time. */
export function findIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  now: number,
): Promise<IdempotencyRow | undefined> {
  return tx.get<IdempotencyRow>(
    `SELECT fingerprint, reference FROM idempotency
      WHERE tenant_id = $1 AND operation = $2 AND idempotency_key = $3 AND expires_at > $4`,
    key.tenantId,
    key.operation,
    key.key,
    now,
  );
}

/** Keeps a successful call, in the place of one that has expired. False, with nothing kept, when the key is in use. */
export async function insertIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  row: IdempotencyRow & { expiresAt: number; now: number },
): Promise<boolean> {
  const kept = await tx.run(
    `INSERT INTO idempotency (tenant_id, operation, idempotency_key, fingerprint, reference, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (tenant_id, operation, idempotency_key) DO UPDATE
       SET fingerprint = excluded.fingerprint, reference = excluded.reference, expires_at = excluded.expires_at
       WHERE idempotency.expires_at <= $7`,
    key.tenantId,
    key.operation,
    key.key,
    row.fingerprint,
    row.reference,
    row.expiresAt,
    row.now,
  );
  return kept > 0;
}
