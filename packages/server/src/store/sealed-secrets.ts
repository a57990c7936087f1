// The columns, of all tenants, that are sealed with the secret key, except the pepper of the installation. Only secrets in
// use are listed, and removed carriers that have events: expired callback secrets, other removed carriers and removed
// processors stay sealed with the old key.

import { SEAL_PREFIX_LENGTH } from "../platform/secret-box.ts";
import type { SqlValue, Transaction } from "./store.ts";

/** A column of sealed secrets. */
export interface SealedColumn extends SecretsColumn {
  /** Lists the next rows in use, and kept rows, in the order of their keys. */
  list(tx: Transaction, page: SealedPage): Promise<SealedRow[]>;
  /** Replaces a sealed secret. Returns false if another transaction has replaced it since it was read. */
  replace(tx: Transaction, row: Pick<SealedRow, "key" | "sealed">, resealed: string): Promise<boolean>;
}

interface SecretsColumn {
  readonly table: "sip_users" | "callback_secrets" | "carriers" | "processors" | "second_factors";
  readonly column: string;
  /** The columns of the table's primary key. */
  readonly key: readonly string[];
  /** A key that precedes every other. */
  readonly beforeAll: readonly SqlValue[];
  /** SQL that is true for secrets in use; `$1` is the time, in epoch milliseconds. */
  readonly isInUse: string;
  /** SQL that is true for further secrets. They are resealed if a key opens them, and forgotten otherwise. */
  readonly isKept?: string;
}

/** Selects rows in use at `now`, in epoch milliseconds, and kept rows, that are not sealed with the key of `prefix`. */
interface SealedPage {
  readonly prefix: string;
  readonly now: number;
  readonly after: SealedRow | undefined;
  readonly limit: number;
}

export interface SealedRow {
  /** The values of the row's key. */
  readonly key: readonly SqlValue[];
  /** 0 for a user's second factor, which belongs to no tenant. */
  readonly tenantId: number;
  /** The channel of a carrier; null for other secrets. */
  readonly channel: string | null;
  readonly sealed: string;
  readonly isInUse: 0 | 1;
}

export const sealedColumns: readonly SealedColumn[] = [
  describeColumn({
    table: "sip_users",
    column: "sealed_password",
    key: ["tenant_id", "user_id"],
    beforeAll: [0, -1],
    isInUse: "sealed_password IS NOT NULL",
  }),
  describeColumn({
    table: "callback_secrets",
    column: "sealed_secret",
    key: ["secret_id"],
    beforeAll: [-1],
    isInUse: "(expires_at IS NULL OR expires_at > $1)",
  }),
  describeColumn({
    table: "carriers",
    column: "sealed_settings",
    key: ["name"],
    beforeAll: [""],
    isInUse: "removed_at IS NULL",
    isKept: "events_id IS NOT NULL",
  }),
  describeColumn({
    table: "processors",
    column: "sealed_settings",
    key: ["name"],
    beforeAll: [""],
    isInUse: "removed_at IS NULL",
  }),
  describeColumn({
    table: "second_factors",
    column: "sealed_secret",
    key: ["user_id"],
    beforeAll: [-1],
    isInUse: "sealed_secret IS NOT NULL",
  }),
];

function describeColumn(described: SecretsColumn): SealedColumn {
  const { table, column, key, beforeAll, isInUse, isKept } = described;
  const parametersFrom = (first: number) => key.map((_, index) => `$${first + index}`);
  // the cast gives PostgreSQL the type of `$1` if no condition uses it
  const listText = `
    SELECT ${key.join(", ")}, ${table === "second_factors" ? "0" : "tenant_id"} AS "tenantId", ${column} AS sealed,
           ${table === "carriers" ? "channel" : "NULL"} AS channel, CASE WHEN ${isInUse} THEN 1 ELSE 0 END AS "isInUse"
      FROM ${table}
     WHERE CAST($1 AS BIGINT) IS NOT NULL AND ${isKept === undefined ? isInUse : `(${isInUse} OR ${isKept})`} AND ${column} NOT LIKE $2
       AND (${key.join(", ")}) > (${parametersFrom(4).join(", ")})
     ORDER BY ${key.join(", ")} LIMIT $3`;
  const isRow = parametersFrom(3).map((parameter, index) => `${key[index]} = ${parameter}`);
  const replaceText = `UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${isRow.join(" AND ")}`;
  return {
    ...described,
    async list(tx, { prefix, now, after, limit }) {
      const values = [now, `${prefix}%`, limit, ...(after?.key ?? beforeAll)];
      const rows = await tx.all<Omit<SealedRow, "key"> & Readonly<Record<string, SqlValue>>>(listText, ...values);
      return rows.map(({ tenantId, channel, sealed, isInUse, ...row }) => ({
        key: key.map((name) => row[name] as SqlValue),
        tenantId,
        channel,
        sealed,
        isInUse,
      }));
    },
    async replace(tx, row, resealed) {
      return (await tx.run(replaceText, resealed, row.sealed, ...row.key)) > 0;
    },
  };
}

/** Number of sealed secrets that begin with a prefix. The prefix identifies the key that sealed them. */
export interface Seal {
  readonly prefix: string;
  readonly count: number;
}

/** Counts the secrets in use at `now`, grouped by the key that sealed them. */
export function countSeals(tx: Transaction, now: number): Promise<Seal[]> {
  const all = sealedColumns.map(
    ({ table, column, isInUse }) => `SELECT ${column} AS sealed FROM ${table} WHERE ${isInUse}`,
  );
  return tx.all(
    `SELECT SUBSTR(sealed, 1, ${SEAL_PREFIX_LENGTH}) AS prefix, COUNT(*) AS count
       FROM (${all.join(" UNION ALL ")}) AS seals
      GROUP BY SUBSTR(sealed, 1, ${SEAL_PREFIX_LENGTH}) ORDER BY prefix`,
    now,
  );
}
