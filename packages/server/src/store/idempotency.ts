// Calls by their idempotency key. `idempotency` has those from before keys were kept by merchant, until they expire.

import type { Transaction } from "./store.ts";

export interface IdempotencyKey {
  readonly tenantId: number;
  /** The merchant of the credential; null for a tenant's. Keys of different merchants never collide. */
  readonly merchantId: string | null;
  readonly operation: string;
  readonly key: string;
}

export interface IdempotencyRow {
  readonly fingerprint: string;
  /** JSON: what the first call created, as its operation wrote it. */
  readonly reference: string;
}

// the merchant of an older row is unknown: a merchant's credential sees it only for an identical request
/** Has a set form. */
export const findIdempotencyStatement = `
  SELECT fingerprint, reference FROM idempotency_keys
   WHERE tenant_id = $1 AND merchant_id = $2 AND operation = $3 AND idempotency_key = $4 AND expires_at > $5
   UNION ALL
  SELECT fingerprint, reference FROM idempotency
   WHERE tenant_id = $1 AND operation = $3 AND idempotency_key = $4 AND expires_at > $5
     AND ($2 = '' OR fingerprint = $6)
   LIMIT 1`;

/** The successful call that used the key, unless expired. `fingerprint` is the current request's. */
export function findIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  { fingerprint, now }: { fingerprint: string; now: number },
): Promise<IdempotencyRow | undefined> {
  const { tenantId, merchantId, operation } = key;
  return tx.get<IdempotencyRow>(
    findIdempotencyStatement,
    tenantId,
    merchantId ?? "",
    operation,
    key.key,
    now,
    fingerprint,
  );
}

/** Has a set form. */
export const insertIdempotencyStatement = `
  INSERT INTO idempotency_keys (tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (tenant_id, merchant_id, operation, idempotency_key) DO UPDATE
    SET fingerprint = excluded.fingerprint, reference = excluded.reference, expires_at = excluded.expires_at
    WHERE idempotency_keys.expires_at <= $8`;

/** Stores a successful call, replacing an expired one. Returns false, with nothing stored, if the key is in use. */
export async function insertIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  row: IdempotencyRow & { expiresAt: number; now: number },
): Promise<boolean> {
  const kept = await tx.run(
    insertIdempotencyStatement,
    key.tenantId,
    key.merchantId ?? "",
    key.operation,
    key.key,
    row.fingerprint,
    row.reference,
    row.expiresAt,
    row.now,
  );
  return kept > 0;
}

/** When the last older row expires, in epoch milliseconds; 0 if there is none. Until then a key is looked up first. */
export async function findOlderKeysEnd(tx: Transaction): Promise<number> {
  const row = await tx.get<{ end: number | null }>(`SELECT MAX(expires_at) AS "end" FROM idempotency`);
  return row?.end ?? 0;
}
