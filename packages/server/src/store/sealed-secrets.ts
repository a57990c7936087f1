// Everything that is sealed with the secret key, of all tenants. What is not used any more stays as it is: secrets of
// callbacks that have expired, and carriers that were removed.

import { SEAL_PREFIX_LENGTH } from "../platform/secret-box.ts";
import type { SqlValue, Transaction } from "./store.ts";

/** What tells which rows are meant: those that are not sealed with the key of `prefix`, in use at `now`. */
interface Sought {
  readonly prefix: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A column of sealed secrets. */
export interface SealedColumn {
  readonly table: "sip_users" | "callback_secrets" | "carriers";
  readonly column: string;
  readonly keyColumns: readonly string[];
  /** The next rows in order of their keys. */
  list(tx: Transaction, page: Sought & { after: SealedRow | undefined; limit: number }): Promise<SealedRow[]>;
}

export interface SealedRow {
  /** The values of the row's key. */
  readonly key: readonly SqlValue[];
  readonly tenantId: number;
  /** Of a carrier. */
  readonly channel: string | null;
  readonly sealed: string;
}

const passwords: SealedColumn = {
  table: "sip_users",
  column: "sealed_password",
  keyColumns: ["tenant_id", "user_id"],
  async list(tx, { prefix, after, limit }) {
    const rows = await tx.all<{ tenantId: number; userId: number; sealed: string }>(
      `SELECT tenant_id AS "tenantId", user_id AS "userId", sealed_password AS sealed FROM sip_users
        WHERE sealed_password IS NOT NULL AND sealed_password NOT LIKE $1 AND (tenant_id, user_id) > ($2, $3)
        ORDER BY tenant_id, user_id LIMIT $4`,
      `${prefix}%`,
      ...(after?.key ?? [0, -1]),
      limit,
    );
    return rows.map(({ tenantId, userId, sealed }) => ({ key: [tenantId, userId], tenantId, channel: null, sealed }));
  },
};

const callbackSecrets: SealedColumn = {
  table: "callback_secrets",
  column: "sealed_secret",
  keyColumns: ["secret_id"],
  async list(tx, { prefix, now, after, limit }) {
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
  },
};

const carriers: SealedColumn = {
  table: "carriers",
  column: "sealed_settings",
  keyColumns: ["name"],
  async list(tx, { prefix, after, limit }) {
    const rows = await tx.all<{ name: string; tenantId: number; channel: string; sealed: string }>(
      `SELECT name, tenant_id AS "tenantId", channel, sealed_settings AS sealed FROM carriers
        WHERE removed_at IS NULL AND sealed_settings NOT LIKE $1 AND name > $2 ORDER BY name LIMIT $3`,
      `${prefix}%`,
      ...(after?.key ?? [""]),
      limit,
    );
    return rows.map(({ name, ...row }) => ({ key: [name], ...row }));
  },
};

/** Each column of sealed secrets, but the pepper's of the installation. */
export const sealedColumns: readonly SealedColumn[] = [passwords, callbackSecrets, carriers];

/** Replaces a sealed secret. Returns false if another has replaced it meanwhile. */
export async function replaceSealed(
  tx: Transaction,
  { table, column, keyColumns }: SealedColumn,
  { key, sealed, resealed }: Pick<SealedRow, "key" | "sealed"> & { resealed: string },
): Promise<boolean> {
  const isRow = keyColumns.map((name, index) => `${name} = $${index + 3}`).join(" AND ");
  const sql = `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${isRow}`;
  return (await tx.run(sql, resealed, sealed, ...key)) > 0;
}

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
