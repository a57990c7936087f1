// Counters on PostgreSQL. Each update leaves a dead version of the row behind. While an old snapshot is open, no
// version can be removed, and each lookup reads all versions of its key. So after many updates a row is replaced, in
// the same statement and with the same counts, by a row with the next `generation` in its key. A lookup of the highest
// generation reads few versions.

import { require } from "../statement.ts";
import { released } from "./released.ts";

/** A table with one row of counters per key. On PostgreSQL `generation` is the key's last column; `changes` counts updates. */
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

/** Number of updates of a row after which the next generation replaces it. */
const CHANGES_A_GENERATION = 128;

/**
 * SQL for a WITH clause that adds the amounts in `sums`, which has one row per key. `saved` has the counters afterwards.
 * `saved` lacks rows that were replaced while the statement waited for them. That cannot happen if the transaction has
 * locked the row that guards the counters.
 */
function addInGenerations({ table, key, counts }: Counters): string {
  const list = (columns: readonly string[], of: string) => columns.map((column) => `${of}.${column}`).join(", ");
  const isSame = (one: string, other: string) =>
    key.map((column) => `${one}.${column} = ${other}.${column}`).join(" AND ");
  // the last condition lets a plan that reads the whole index, as for a small table, skip earlier generations
  const isCurrent = `${isSame("t", "c")} AND t.generation = c.generation AND t.generation >= (SELECT MIN(generation) FROM current)`;
  const set = counts.map((count) => `${count} = t.${count} + c.${count}`).join(", ");
  const columns = [...key, ...counts].join(", ");
  return `current AS (
      SELECT s.*, l.generation, l.changes
        FROM sums s
        LEFT JOIN LATERAL (SELECT t.generation, t.changes FROM ${table} t WHERE ${isSame("t", "s")}
                            ORDER BY t.generation DESC LIMIT 1) AS l ON TRUE
    ), held AS (
      SELECT t.generation FROM ${table} t JOIN current c ON ${isCurrent} ORDER BY ${list(key, "t")} FOR NO KEY UPDATE OF t
    ), changed AS (
      UPDATE ${table} t SET ${set}, changes = t.changes + 1
        FROM current c
       WHERE ${isCurrent} AND c.changes < ${CHANGES_A_GENERATION} AND (SELECT COUNT(*) FROM held) > 0
      RETURNING ${list([...key, ...counts], "t")}
    ), ended AS (
      DELETE FROM ${table} t USING current c
       WHERE ${isCurrent} AND c.changes >= ${CHANGES_A_GENERATION} AND (SELECT COUNT(*) FROM held) > 0
      RETURNING t.*
    ), begun AS (
      INSERT INTO ${table} AS t (${columns}, generation)
      SELECT ${list(key, "e")}, ${counts.map((count) => `e.${count} + c.${count}`).join(", ")}, e.generation + 1
        FROM ended e JOIN current c ON ${isSame("e", "c")}
       UNION ALL
      SELECT ${list([...key, ...counts], "c")}, 0 FROM current c WHERE c.generation IS NULL
      ON CONFLICT (${key.join(", ")}, generation) DO UPDATE
        SET ${counts.map((count) => `${count} = t.${count} + excluded.${count}`).join(", ")}
      RETURNING ${list([...key, ...counts], "t")}
    ), saved AS (SELECT * FROM changed UNION ALL SELECT * FROM begun)`;
}

/** SQL that adds amounts, given as SQL of their parameters, to the counters of one key. */
function addOnceInGenerations(counters: Counters, amounts: readonly string[], end: string): string {
  const { key, counts } = counters;
  const keys = key.map(
    (column, index) => `CAST($${index + 1} AS ${column === "tenant_id" ? "BIGINT" : "TEXT"}) AS ${column}`,
  );
  const given = counts.map((count, index) => `CAST(${amounts[index]} AS BIGINT) AS ${count}`);
  return `WITH sums AS (SELECT ${[...keys, ...given].join(", ")}), ${addInGenerations(counters)} ${end}`;
}

const addToUsage = (amounts: readonly [used: string, reserved: string, creditUnits: string], end: string) =>
  addOnceInGenerations(usageCounters, amounts, end);

export const postgresCounters = {
  rowColumns: "generation bigint NOT NULL DEFAULT 0, changes bigint NOT NULL DEFAULT 0, ",
  rowKey: ", generation",

  /** Joins the row with the highest generation, because looking that row up reads few dead versions. */
  joinUsage: (period: string) => `
  LEFT JOIN LATERAL (SELECT u.used, u.reserved, u.credit_units FROM usage u
                      WHERE u.tenant_id = q.tenant_id AND u.merchant_id = q.merchant_id
                        AND u.channel = q.channel AND u.period = ${period}
                      ORDER BY u.generation DESC LIMIT 1) AS u ON TRUE`,

  reserve: addToUsage(["0", "$5", "$6"], "SELECT used FROM saved"),

  settle: addToUsage(
    ["$5", "-CAST($5 AS BIGINT)", "0"],
    `SELECT used FROM saved WHERE used < CAST($6 AS BIGINT)
        AND CAST($7 AS BIGINT) = (SELECT monthly_limit FROM quotas
                                   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3)`,
  ),

  release: addToUsage(["0", "-CAST($5 AS BIGINT)", "0"], `SELECT ${released} FROM saved`),

  releaseUnpaid: addToUsage(["0", "-CAST($5 AS BIGINT)", "0"], "SELECT used FROM saved WHERE credit_units = 0"),

  returnCredits: addToUsage(["0", "0", "-CAST($5 AS BIGINT)"], "SELECT used FROM saved"),

  addToDay: addOnceInGenerations(dayCounters, ["$4", "$5", "$6"], "SELECT units FROM saved"),
};

/**
 * Reserves the units of all writes, added up per quota. The quotas must be locked. The result equals that of consecutive
 * writes if all writes are within the limit, or all are beyond it and paid by credits. Otherwise each write is run alone.
 */
export const reserveBatch = (wanted: string) => `
    WITH sums AS (
      SELECT tenant_id, merchant_id, channel, period, 0::bigint AS used, SUM(units)::bigint AS reserved,
             SUM(credit_units)::bigint AS credit_units
        FROM ${wanted} GROUP BY tenant_id, merchant_id, channel, period
    ), ${addInGenerations(usageCounters)}, outstanding AS (
      SELECT s.reserved AS units, s.credit_units, q.monthly_limit, v.used + v.reserved AS units_then
        FROM sums s
        JOIN quotas q ON q.tenant_id = s.tenant_id AND q.merchant_id = s.merchant_id AND q.channel = s.channel
        JOIN saved v ON v.tenant_id = s.tenant_id AND v.merchant_id = s.merchant_id AND v.channel = s.channel
                    AND v.period = s.period
    )
    ${require(`COUNT(*) = (SELECT COUNT(*) FROM sums)
               AND bool_and(CASE WHEN credit_units = 0 THEN units_then <= monthly_limit
                                 ELSE credit_units = units AND units_then - units >= monthly_limit END)`)}
      FROM outstanding`;

/** Settles the units of all writes. If together they reach a threshold, each write is run alone. */
export const settleBatch = (wanted: string) => `
    WITH sums AS (
      SELECT tenant_id, merchant_id, channel, period, SUM(units)::bigint AS used, (-SUM(units))::bigint AS reserved,
             0::bigint AS credit_units, MIN(threshold) AS threshold, MIN(monthly_limit) AS lowest_limit,
             MAX(monthly_limit) AS highest_limit
        FROM ${wanted} GROUP BY tenant_id, merchant_id, channel, period
    ), ${addInGenerations(usageCounters)}
    ${require(`COUNT(*) = (SELECT COUNT(*) FROM sums)
               AND bool_and(v.used < s.threshold AND q.monthly_limit = s.lowest_limit
                            AND q.monthly_limit = s.highest_limit)`)}
      FROM sums s
      JOIN quotas q ON q.tenant_id = s.tenant_id AND q.merchant_id = s.merchant_id AND q.channel = s.channel
      JOIN saved v ON v.tenant_id = s.tenant_id AND v.merchant_id = s.merchant_id AND v.channel = s.channel
                  AND v.period = s.period`;

export const releaseUnpaidBatch = (wanted: string) => `
    WITH sums AS (
      SELECT tenant_id, merchant_id, channel, period, 0::bigint AS used, (-SUM(units))::bigint AS reserved,
             0::bigint AS credit_units
        FROM ${wanted} GROUP BY tenant_id, merchant_id, channel, period
    ), ${addInGenerations(usageCounters)}
    ${require("COUNT(*) = (SELECT COUNT(*) FROM sums) AND bool_and(credit_units = 0)")}
      FROM saved`;

export const addToDayBatch = (wanted: string) => `
    WITH sums AS (
      SELECT tenant_id, day, channel, SUM(units)::bigint AS units,
             SUM(provider_cost_micros)::bigint AS provider_cost_micros, SUM(markup_micros)::bigint AS markup_micros
        FROM ${wanted} GROUP BY tenant_id, day, channel
    ), ${addInGenerations(dayCounters)}
    ${require("(SELECT COUNT(*) FROM saved) = (SELECT COUNT(*) FROM sums)")}`;
