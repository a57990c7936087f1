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

/** The successful call that used the key, unless expired. */
export function findIdempotency(
  tx: Transaction,
  key: IdempotencyKey,
  now: number,
): Promise<IdempotencyRow | undefined> {
  return tx.get(findIdempotencyStatement(valuesOf(key), { now }));
}

/** The reference of a key between `takeIdempotency` and `keepIdempotency`. Only its own transaction sees it. */
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
 * Takes the key before the call locks anything, if others write at the same time: see `Transaction.claim`. Returns
 * false if it is in use. Throws `RowBusy` if the transaction that has taken it does not end soon.
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
 * Stands for the end of the object that a call made, while that is open: the key's usual time is counted from that end.
 * Later than any time, so that such a key never expires; the index `idempotency_keys_open` has the same number.
 */
export const NOT_ENDED = 2 ** 52;

/** Lets the keys of the call with this reference, a JSON text, expire now that its object has ended. */
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

/** Most merchants of a tenant among whose keys one is looked for. */
const MOST_OWNERS = 1_000;
/** Most calls returned: operations and merchants may use the same key. */
const MOST_CALLS = 10;

const rowsOf = (column: string, texts: readonly string[]) =>
  `(${texts.map((text) => `SELECT ${text} AS ${column}`).join(" UNION ALL ")})`;

const keyedOperations = Object.entries(operations).flatMap(([id, { idempotent }]) => (idempotent ? [`'${id}'`] : []));

// the key comes last in the primary key, so it is looked up for each operation and owner
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

// goes from each merchant to the next, past the keys between them
const keyedCallsOfTenant = `
  WITH RECURSIVE passed (merchant_id, ordinal) AS (
    SELECT ${nextOwner(">= ''")}, 1
    UNION ALL
    SELECT ${nextOwner("> passed.merchant_id")}, passed.ordinal + 1
      FROM passed WHERE passed.merchant_id IS NOT NULL AND passed.ordinal < ${MOST_OWNERS}
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

/** The Idempotency-Key of a request in progress: other requests that use it are refused. */
export interface HeldKey {
  /** The key with its scope of uniqueness, as one text. */
  readonly scope: string;
  readonly fingerprint: string;
}

/** The request in progress that has the key of this scope. */
export function findHeldKey(tx: Transaction, scope: string): Promise<HeldKey | undefined> {
  return tx.get<HeldKey>(
    "SELECT key_scope AS scope, fingerprint FROM call_acceptances WHERE key_scope = $1 AND key_scope IS NOT NULL",
    scope,
  );
}
