// Successful calls by their idempotency key.

import { operations } from "@msgctl/contract";
import { batchStatement, require, rowOf } from "./statement.ts";
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
  /** JSON of the object that the first call created, as its operation wrote it. */
  readonly reference: string;
}

const keyParams = { tenantId: "bigint", merchantId: "text", operation: "text", idempotencyKey: "text" } as const;

export const findIdempotencyStatement = batchStatement({
  params: { ...keyParams, now: "bigint" },
  row: rowOf<IdempotencyRow>(),
  one: `
    SELECT fingerprint, reference FROM idempotency_keys
     WHERE tenant_id = $1 AND merchant_id = $2 AND operation = $3 AND idempotency_key = $4 AND expires_at > $5`,
  batch: {
    kind: "reads",
    sql: (wanted) => `
      SELECT w.ordinal, k.fingerprint, k.reference
        FROM ${wanted}
        JOIN idempotency_keys k ON k.tenant_id = w.tenant_id AND k.merchant_id = w.merchant_id
                               AND k.operation = w.operation AND k.idempotency_key = w.idempotency_key
                               AND k.expires_at > w.now`,
  },
});

/** Finds the successful call that used the key, unless the key has expired. */
export function findIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  now: number,
): Promise<IdempotencyRow | undefined> {
  return tx.get(findIdempotencyStatement(valuesOf(key), { now }));
}

/** The reference of a key between `takeIdempotency` and `keepIdempotency`. Other transactions never see it. */
const TAKEN = "";

export const keepIdempotencyStatement = batchStatement({
  params: { ...keyParams, fingerprint: "text", reference: "text", expiresAt: "bigint", now: "bigint" },
  one: `
    INSERT INTO idempotency_keys (tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (tenant_id, merchant_id, operation, idempotency_key) DO UPDATE
      SET fingerprint = excluded.fingerprint, reference = excluded.reference, expires_at = excluded.expires_at
      WHERE idempotency_keys.expires_at <= $8 OR idempotency_keys.reference = '${TAKEN}'`,
  batch: {
    kind: "writes",
    order: "idempotency_keys",
    sql: (wanted) => `
      WITH wanted AS (SELECT * FROM ${wanted}), kept AS (
        INSERT INTO idempotency_keys (tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at)
        SELECT tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at FROM wanted
         ORDER BY tenant_id, merchant_id, operation, idempotency_key
        ON CONFLICT (tenant_id, merchant_id, operation, idempotency_key) DO UPDATE
          SET fingerprint = excluded.fingerprint, reference = excluded.reference, expires_at = excluded.expires_at
          WHERE idempotency_keys.expires_at <= (SELECT MIN(now) FROM wanted)
        RETURNING 1
      )
      ${require("(SELECT COUNT(*) FROM kept) = (SELECT COUNT(*) FROM wanted)")}`,
  },
});

/**
 * Takes the key before the call locks anything, on an engine with concurrent writers: see `Transaction.claim`. Returns
 * false if the key is in use. Throws `RowBusy` if the transaction that has taken it does not end soon.
 */
export function takeIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  { fingerprint, now }: { fingerprint: string; now: number },
): Promise<boolean> {
  return tx.claim(keepIdempotencyStatement(valuesOf(key), { fingerprint, reference: TAKEN, expiresAt: now, now }));
}

/** Stores a successful call, replacing an expired one. Returns false, with nothing stored, if the key is in use. */
export async function keepIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  row: IdempotencyRow & { expiresAt: number; now: number },
): Promise<boolean> {
  return (await tx.run(keepIdempotencyStatement(valuesOf(key), row))) > 0;
}

function valuesOf({ tenantId, merchantId, operation, key }: IdempotencyKey) {
  return { tenantId, merchantId: merchantId ?? "", operation, idempotencyKey: key };
}

/**
 * The expiry of a key while the object that its call created has not ended; the usual lifetime starts at that end.
 * It is later than any time, so the key does not expire before. The index `idempotency_keys_open` has the same number.
 */
export const NOT_ENDED = 2 ** 52;

/** Sets the expiry of the keys with this reference, a JSON text. Call when the object has ended. */
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

/** A call found by its key in any operation. */
export interface KeyedCall {
  readonly operation: string;
  /** The merchant of the credential; null for a tenant's. */
  readonly merchantId: string | null;
  /** See {@link IdempotencyRow}. */
  readonly reference: string;
}

/** Maximum number of a tenant's merchants whose keys are searched. */
const MOST_OWNERS = 1_000;
/** Maximum number of calls returned. There may be several, because operations and merchants may use the same key. */
const MOST_CALLS = 10;

const rowsOf = (column: string, texts: readonly string[]) =>
  `(${texts.map((text) => `SELECT ${text} AS ${column}`).join(" UNION ALL ")})`;

const keyedOperations = Object.entries(operations).flatMap(([id, { idempotent }]) => (idempotent ? [`'${id}'`] : []));

// idempotency_key is the last column of the primary key, so it is looked up for each operation and owner
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

// jumps from each merchant to the next in the index, past the keys between them
const keyedCallsOfTenant = `
  WITH RECURSIVE passed (merchant_id, ordinal) AS (
    SELECT ${nextOwner(">= ''")}, 1
    UNION ALL
    SELECT ${nextOwner("> passed.merchant_id")}, passed.ordinal + 1
      FROM passed WHERE passed.merchant_id IS NOT NULL AND passed.ordinal < ${MOST_OWNERS}
  ) ${keyedCallsOf("passed")}`;

/**
 * Lists the successful calls that used a key, unless it has expired: calls by the tenant's credentials, and by those of
 * the given merchant or, if none is given, of the tenant's first 1,000 merchants that have keys.
 */
export function listKeyedCalls(
  tx: Transaction,
  { tenantId, merchantId, key, now }: { tenantId: number; merchantId: string | null; key: string; now: number },
): Promise<KeyedCall[]> {
  if (merchantId === null) return tx.all<KeyedCall>(keyedCallsOfTenant, tenantId, key, now);
  return tx.all<KeyedCall>(keyedCallsOfMerchant, tenantId, key, now, merchantId);
}

/** The Idempotency-Key of a request in progress. Other requests with the same key are refused. */
export interface HeldKey {
  /** The key with its scope of uniqueness, as one text. */
  readonly scope: string;
  readonly fingerprint: string;
}

/** Finds the request in progress that holds the key of this scope. */
export function findHeldKey(tx: Transaction, scope: string): Promise<HeldKey | undefined> {
  return tx.get<HeldKey>(
    "SELECT key_scope AS scope, fingerprint FROM call_acceptances WHERE key_scope = $1 AND key_scope IS NOT NULL",
    scope,
  );
}
