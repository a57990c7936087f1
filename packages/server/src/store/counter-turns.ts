// Counters that all of a merchant's or a tenant's messages change, on PostgreSQL. Each change leaves a version of the row
// behind; beside an old snapshot none can be cleaned up, and whoever looks for the row passes over all that have its key.
// So a row that was changed often ends, and one takes its place whose key is the next: it begins with the same counts, in
// the same statement. There is one row at any time; whoever looks for the highest turn passes over few versions.

import type { Dialect } from "./dialect.ts";

/** A table of counters, one row for a key, besides `turn`, which ends its key, and `changes`, how often the row was changed. */
export interface Counters {
  readonly table: string;
  readonly key: readonly string[];
  readonly counts: readonly string[];
}

export const usageCounters: Counters = {
  table: "usage",
  key: ["tenant_id", "merchant_id", "channel", "period"],
  counts: ["used", "reserved", "credit_units"],
};

export const dayCounters: Counters = {
  table: "daily_totals",
  key: ["tenant_id", "day", "channel"],
  counts: ["units", "provider_cost_micros", "markup_micros"],
};

const usageOfQuota = (period: string) => `u.tenant_id = q.tenant_id AND u.merchant_id = q.merchant_id
    AND u.channel = q.channel AND u.period = ${period}`;

/** SQL that joins as `u` the row of usage that belongs to `quotas q`, and passes over few of its earlier versions. */
export const joinLastUsage = (period: string) => `
  LEFT JOIN LATERAL (SELECT u.used, u.reserved, u.credit_units FROM usage u WHERE ${usageOfQuota(period)}
                      ORDER BY u.turn DESC LIMIT 1) AS u ON TRUE`;

/** A text in the form for each engine, with SQL that joins as `u` the usage of `quotas q` in a period. */
export function toUsageText(
  write: (joinUsage: (period: string) => string) => string,
): (dialect: Pick<Dialect, "keepsVersions">) => string {
  const ofOneRow = write((period) => `LEFT JOIN usage u ON ${usageOfQuota(period)}`);
  const inTurns = write(joinLastUsage);
  return ({ keepsVersions }) => (keepsVersions ? inTurns : ofOneRow);
}

/** How often a row is changed before the next takes its place. */
const CHANGES_A_TURN = 128;

/**
 * SQL that adds amounts to counters, for a WITH in which `sums` gives them: the key and the amount of each count, one row
 * a key. `saved` is what the counters are then; it lacks those whose row ended while the statement waited for it, which
 * cannot be where the transaction held before what they change under.
 */
export function addInTurns({ table, key, counts }: Counters): string {
  const list = (columns: readonly string[], of: string) => columns.map((column) => `${of}.${column}`).join(", ");
  const isSame = (one: string, other: string) =>
    key.map((column) => `${one}.${column} = ${other}.${column}`).join(" AND ");
  // the last condition keeps a plan that reads the whole index, as of a table of few rows, away from turns that ended
  const isCurrent = `${isSame("t", "c")} AND t.turn = c.turn AND t.turn >= (SELECT MIN(turn) FROM current)`;
  const set = counts.map((count) => `${count} = t.${count} + c.${count}`).join(", ");
  const columns = [...key, ...counts].join(", ");
  return `current AS (
      SELECT s.*, l.turn, l.changes
        FROM sums s
        LEFT JOIN LATERAL (SELECT t.turn, t.changes FROM ${table} t WHERE ${isSame("t", "s")}
                            ORDER BY t.turn DESC LIMIT 1) AS l ON TRUE
    ), held AS (
      SELECT t.turn FROM ${table} t JOIN current c ON ${isCurrent} ORDER BY ${list(key, "t")} FOR NO KEY UPDATE OF t
    ), changed AS (
      UPDATE ${table} t SET ${set}, changes = t.changes + 1
        FROM current c
       WHERE ${isCurrent} AND c.changes < ${CHANGES_A_TURN} AND (SELECT COUNT(*) FROM held) > 0
      RETURNING ${list([...key, ...counts], "t")}
    ), ended AS (
      DELETE FROM ${table} t USING current c
       WHERE ${isCurrent} AND c.changes >= ${CHANGES_A_TURN} AND (SELECT COUNT(*) FROM held) > 0
      RETURNING t.*
    ), begun AS (
      INSERT INTO ${table} AS t (${columns}, turn)
      SELECT ${list(key, "e")}, ${counts.map((count) => `e.${count} + c.${count}`).join(", ")}, e.turn + 1
        FROM ended e JOIN current c ON ${isSame("e", "c")}
       UNION ALL
      SELECT ${list([...key, ...counts], "c")}, 0 FROM current c WHERE c.turn IS NULL
      ON CONFLICT (${key.join(", ")}, turn) DO UPDATE
        SET ${counts.map((count) => `${count} = t.${count} + excluded.${count}`).join(", ")}
      RETURNING ${list([...key, ...counts], "t")}
    ), saved AS (SELECT * FROM changed UNION ALL SELECT * FROM begun)`;
}

/** SQL of `sums` for one key: its values, then the amounts, as SQL of their parameters. */
export function addOnceInTurns(counters: Counters, amounts: readonly string[], end: string): string {
  const { key, counts } = counters;
  const keys = key.map(
    (column, index) => `CAST($${index + 1} AS ${column === "tenant_id" ? "BIGINT" : "TEXT"}) AS ${column}`,
  );
  const given = counts.map((count, index) => `CAST(${amounts[index]} AS BIGINT) AS ${count}`);
  return `WITH sums AS (SELECT ${[...keys, ...given].join(", ")}), ${addInTurns(counters)} ${end}`;
}
