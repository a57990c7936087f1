// Calls by their idempotency key.

import { operations } from "@msgctl/contract";
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

/** Has a set form. */
export const findIdempotencyStatement = `
  SELECT fingerprint, reference FROM idempotency_keys
   WHERE tenant_id = $1 AND merchant_id = $2 AND operation = $3 AND idempotency_key = $4 AND expires_at > $5`;

/** The successful call that used the key, unless expired. */
export function findIdempotency(
  tx: Transaction,
  { tenantId, merchantId, operation, key }: IdempotencyKey,
  now: number,
): Promise<IdempotencyRow | undefined> {
  return tx.get<IdempotencyRow>(findIdempotencyStatement, tenantId, merchantId ?? "", operation, key, now);
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

/** Says what came of a call whose key this transaction has stored. */
export async function saveIdempotency(
  tx: Transaction,
  { tenantId, merchantId, operation, key }: IdempotencyKey,
  { reference, expiresAt }: Pick<IdempotencyRow, "reference"> & { expiresAt: number },
): Promise<void> {
  await tx.run(
    `UPDATE idempotency_keys SET reference = $5, expires_at = $6
      WHERE tenant_id = $1 AND merchant_id = $2 AND operation = $3 AND idempotency_key = $4`,
    tenantId,
    merchantId ?? "",
    operation,
    key,
    reference,
    expiresAt,
  );
}

/**
 * Stands for the end of what a call made, while that is open: the key expires as long after it as it is kept after a call.
 * Later than any time, so that such a key never expires; the index `idempotency_keys_open` has the same number.
 */
export const NOT_ENDED = 2 ** 52;

/** Has the keys of a call expire whose reference this is, the JSON text, now that what the call made has ended. */
export async function endOpenKeys(
  tx: Transaction,
  { reference, endedAt }: { reference: string; endedAt: number },
): Promise<void> {
  await tx.run(
    `UPDATE idempotency_keys SET expires_at = expires_at - ${NOT_ENDED} + $2
      WHERE expires_at >= ${NOT_ENDED} AND reference = $1`,
    reference,
    endedAt,
  );
}

/** A call by its key, whatever its operation was. */
export interface KeyedCall {
  readonly operation: string;
  /** The merchant of the credential; null for a tenant's. */
  readonly merchantId: string | null;
  /** As {@link IdempotencyRow} has it. */
  readonly reference: string;
}

/** Merchants of a tenant among whose keys one is looked for: 25 ms. */
const MOST_OWNERS = 1_000;
/** Calls that are given: operations and merchants may use the same key. */
const MOST_CALLS = 10;

const rowsOf = (column: string, texts: readonly string[]) =>
  `(${texts.map((text) => `SELECT ${text} AS ${column}`).join(" UNION ALL ")})`;

const keyedOperations = Object.entries(operations).flatMap(([id, { idempotent }]) => (idempotent ? [`'${id}'`] : []));

// the key comes last in the primary key: what is before it is named, and each is looked up by itself
const keyedCallsOf = (owners: string) => `
  SELECT operation, NULLIF(owner, '') AS "merchantId", reference
    FROM (SELECT named.operation, owners.merchant_id AS owner,
                 (SELECT k.reference FROM idempotency_keys k
                   WHERE k.tenant_id = $1 AND k.merchant_id = owners.merchant_id AND k.operation = named.operation
                     AND k.idempotency_key = $2 AND k.expires_at > $3) AS reference
            FROM ${owners} AS owners CROSS JOIN ${rowsOf("operation", keyedOperations)} AS named) AS looked_up
   WHERE reference IS NOT NULL LIMIT ${MOST_CALLS}`;

const keyedCallsOfMerchant = keyedCallsOf(rowsOf("merchant_id", ["''", "$4"]));

const nextOwner = (behind: string) =>
  `(SELECT MIN(next.merchant_id) FROM idempotency_keys next WHERE next.tenant_id = $1 AND next.merchant_id ${behind})`;

// from each merchant to the next, past the keys between them
const keyedCallsOfTenant = `
  WITH RECURSIVE passed (merchant_id, place) AS (
    SELECT ${nextOwner(">= ''")}, 1
    UNION ALL
    SELECT ${nextOwner("> passed.merchant_id")}, passed.place + 1
      FROM passed WHERE passed.merchant_id IS NOT NULL AND passed.place < ${MOST_OWNERS}
  ) ${keyedCallsOf("passed")}`;

/**
 * The successful calls that used a key, unless expired: those by credentials of the tenant and of one merchant, or, without
 * one, of the tenant's first 1,000 merchants that have keys.
 */
export function listKeyedCalls(
  tx: Transaction,
  { tenantId, merchantId, key, now }: { tenantId: number; merchantId: string | null; key: string; now: number },
): Promise<KeyedCall[]> {
  if (merchantId === null) return tx.all<KeyedCall>(keyedCallsOfTenant, tenantId, key, now);
  return tx.all<KeyedCall>(keyedCallsOfMerchant, tenantId, key, now, merchantId);
}
