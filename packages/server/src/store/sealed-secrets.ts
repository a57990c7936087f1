// Everything that is sealed with the secret key, of all tenants. What is not used any more stays as it is: secrets of
// callbacks that have expired, and carriers that were removed.

import { SEAL_PREFIX_LENGTH } from "../platform/secret-box.ts";
import type { SqlValue, Transaction } from "./store.ts";

/** Selects the rows in use at `now` that are not sealed with the key of `prefix`. */
interface Sought {
  readonly prefix: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A column of sealed secrets. */
export interface SealedColumn {
  readonly table: "sip_users" | "callback_secrets" | "carriers";
  readonly column: string;
  /** The next rows in order of their keys. */
  list(tx: Transaction, page: SealedPage): Promise<SealedRow[]>;
  /** Replaces a sealed secret. Returns false if another has replaced it meanwhile. */
  replace(tx: Transaction, row: Pick<SealedRow, "key" | "sealed">, resealed: string): Promise<boolean>;
}

export interface SealedPage extends Sought {
  readonly after: SealedRow | undefined;
  readonly limit: number;
}

export interface SealedRow {
  /** The values of the row's key. */
  readonly key: readonly SqlValue[];
  readonly tenantId: number;
  /** Of a carrier. */
  readonly channel: string | null;
  readonly sealed: string;
}

export async function listSealedPasswords(tx: Transaction, { prefix, after, limit }: SealedPage): Promise<SealedRow[]> {
  const rows = await tx.all<{ tenantId: number; userId: number; sealed: string }>(
    `SELECT tenant_id AS "tenantId", user_id AS "userId", sealed_password AS sealed FROM sip_users
      WHERE sealed_password IS NOT NULL AND sealed_password NOT LIKE $1 AND (tenant_id, user_id) > ($2, $3)
      ORDER BY tenant_id, user_id LIMIT $4`,
    `${prefix}%`,
    ...(after?.key ?? [0, -1]),
    limit,
  );
  return rows.map(({ tenantId, userId, sealed }) => ({ key: [tenantId, userId], tenantId, channel: null, sealed }));
}

export async function replaceSealedPassword(
  tx: Transaction,
  { key, sealed }: Pick<SealedRow, "key" | "sealed">,
  resealed: string,
): Promise<boolean> {
  const changed = await tx.run(
    "UPDATE sip_users SET sealed_password = $1 WHERE sealed_password = $2 AND tenant_id = $3 AND user_id = $4",
    resealed,
    sealed,
    ...key,
  );
  return changed > 0;
}

export async function listSealedCallbackSecrets(
  tx: Transaction,
  { prefix, now, after, limit }: SealedPage,
): Promise<SealedRow[]> {
  const rows = await tx.all<{ tenantId: number; secretId: number; sealed: string }>(
    `SELECT tenant_id AS "tenantId", secret_id AS "secretId", sealed_secret AS sealed FROM callback_secrets
      WHERE sealed_secret NOT LIKE $1 AND (expires_at IS NULL OR expires_at > $2) AND secret_id > $3
      ORDER BY secret_id LIMIT $4`,
    `${prefix}%`,
    now,
    ...(after?.key ?? [-1]),
    limit,
  );
  return rows.map(({ tenantId, secretId, sealed }) => ({ key: [secretId], tenantId, channel: null, sealed }));
}

export async function replaceSealedCallbackSecret(
  tx: Transaction,
  { key, sealed }: Pick<SealedRow, "key" | "sealed">,
  resealed: string,
): Promise<boolean> {
  const changed = await tx.run(
    "UPDATE callback_secrets SET sealed_secret = $1 WHERE sealed_secret = $2 AND secret_id = $3",
    resealed,
    sealed,
    ...key,
  );
  return changed > 0;
}

export async function listSealedCarriers(tx: Transaction, { prefix, after, limit }: SealedPage): Promise<SealedRow[]> {
  const rows = await tx.all<{ name: string; tenantId: number; channel: string; sealed: string }>(
    `SELECT name, tenant_id AS "tenantId", channel, sealed_settings AS sealed FROM carriers
      WHERE removed_at IS NULL AND sealed_settings NOT LIKE $1 AND name > $2 ORDER BY name LIMIT $3`,
    `${prefix}%`,
    ...(after?.key ?? [""]),
    limit,
  );
  return rows.map(({ name, ...row }) => ({ key: [name], ...row }));
}

export async function replaceSealedCarrier(
  tx: Transaction,
  { key, sealed }: Pick<SealedRow, "key" | "sealed">,
  resealed: string,
): Promise<boolean> {
  const changed = await tx.run(
    "UPDATE carriers SET sealed_settings = $1 WHERE sealed_settings = $2 AND name = $3",
    resealed,
    sealed,
    ...key,
  );
  return changed > 0;
}

/** Each column of sealed secrets, but the pepper's of the installation. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    ...{ table: "sip_users", column: "sealed_password" },
    ...{ list: listSealedPasswords, replace: replaceSealedPassword },
  },
  {
    ...{ table: "callback_secrets", column: "sealed_secret" },
    ...{ list: listSealedCallbackSecrets, replace: replaceSealedCallbackSecret },
  },
  {
    ...{ table: "carriers", column: "sealed_settings" },
    ...{ list: listSealedCarriers, replace: replaceSealedCarrier },
  },
];

/** How many secrets begin with a prefix, which says what key they were sealed with. */
export interface Seal {
  readonly prefix: string;
  readonly count: number;
}

/** Counts what is sealed and in use at `now`, by the key that sealed it. */
export function countSeals(tx: Transaction, now: number): Promise<Seal[]> {
  return tx.all(
    `SELECT SUBSTR(sealed, 1, ${SEAL_PREFIX_LENGTH}) AS prefix, COUNT(*) AS count FROM (
       SELECT sealed_password AS sealed FROM sip_users WHERE sealed_password IS NOT NULL
       UNION ALL SELECT sealed_secret FROM callback_secrets WHERE expires_at IS NULL OR expires_at > $1
       UNION ALL SELECT sealed_settings FROM carriers WHERE removed_at IS NULL) seals
      GROUP BY SUBSTR(sealed, 1, ${SEAL_PREFIX_LENGTH}) ORDER BY prefix`,
    now,
  );
}
