// The flow of quota units: reserved when a send is accepted, then settled or released on its outcome.

import { counterText, toUsageText } from "./counters/counters.ts";
import { postgresCounters, releaseUnpaidBatch, reserveBatch, settleBatch } from "./counters/postgres.ts";
import { type Channel, holdQuota, holdQuotaToRead } from "./merchants.ts";
import { batchStatement, rowOf } from "./statement.ts";
import { RunAgain, type Transaction } from "./store.ts";

export interface UsageKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** First day of the month in which the send was accepted: it settles there, whenever its outcome comes. */
  readonly period: string;
}

const usageParams = { tenantId: "bigint", merchantId: "text", channel: "text", period: "text" } as const;

export const reserveStatement = batchStatement({
  params: { ...usageParams, units: "bigint", creditUnits: "bigint" },
  one: counterText("reserve"),
  batch: { kind: "writes", order: "usage", sql: reserveBatch },
});

export const takeCreditsStatement = batchStatement({
  params: { tenantId: "bigint", merchantId: "text", channel: "text", units: "bigint" },
  one: "UPDATE quotas SET credits = credits - $4 WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3",
  batch: {
    kind: "writes",
    order: "quotas",
    // the quotas are held, and none has fewer than 0 credits
    sql: (wanted) => `
      UPDATE quotas q SET credits = q.credits - s.units
        FROM (SELECT tenant_id, merchant_id, channel, SUM(units)::bigint AS units
                FROM ${wanted} GROUP BY tenant_id, merchant_id, channel) AS s
       WHERE s.tenant_id = q.tenant_id AND s.merchant_id = q.merchant_id AND s.channel = q.channel`,
  },
});

/** Reserves `units` of the period, of which `creditUnits` are taken from the credits. The caller has checked them. */
export async function reserveUsage(
  tx: Transaction,
  key: UsageKey,
  { units, creditUnits }: { units: number; creditUnits: number },
): Promise<void> {
  holdQuota(tx, key);
  const saved = await tx.run(reserveStatement(key, { units, creditUnits }));
  if (saved === 0) throw new RunAgain("a counter has begun a new turn");
  if (creditUnits > 0) await tx.run(takeCreditsStatement(key, { units: creditUnits }));
}

interface QuotaState {
  readonly limit: number;
  readonly credits: number;
  readonly used: number;
  readonly reserved: number;
  /** How many of both the credits paid. */
  readonly creditUnits: number;
}

const quotaStateColumns = `q.monthly_limit AS "limit", q.credits, COALESCE(u.used, 0) AS used,
  COALESCE(u.reserved, 0) AS reserved, COALESCE(u.credit_units, 0) AS "creditUnits"`;

export const quotaStateStatement = batchStatement({
  params: usageParams,
  row: rowOf<QuotaState>(),
  one: toUsageText(
    (joinUsage) => `
    SELECT ${quotaStateColumns} FROM quotas q ${joinUsage("$4")}
     WHERE q.tenant_id = $1 AND q.merchant_id = $2 AND q.channel = $3`,
  ),
  batch: {
    kind: "looks",
    sql: (wanted) => `
      SELECT w.ordinal, ${quotaStateColumns}
        FROM ${wanted}
        JOIN quotas q ON q.tenant_id = w.tenant_id AND q.merchant_id = w.merchant_id AND q.channel = w.channel
        ${postgresCounters.joinUsage("w.period")}`,
  },
});

async function readQuota(tx: Transaction, key: UsageKey): Promise<QuotaState> {
  const quota = await tx.get(quotaStateStatement(key));
  if (quota === undefined) throw new Error("a merchant has no quota");
  return quota;
}

/** The state of a channel's quota in the period, as rules/quota expects it. Held for update. */
export function findQuota(tx: Transaction, key: UsageKey): Promise<QuotaState> {
  holdQuota(tx, key);
  return readQuota(tx, key);
}

export const settleStatement = batchStatement({
  params: { ...usageParams, units: "bigint", threshold: "bigint", monthlyLimit: "bigint" },
  one: counterText("settle"),
  batch: { kind: "writes", order: "usage", sql: settleBatch },
});

/** The use of a limit that something is to be done about, once it is reached. */
type FindThreshold = (use: { limit: number; used: number }) => number | undefined;

/**
 * Turns reserved units into used ones. Returns the use of the limit before and afterwards. `findThreshold` gives what use
 * matters to the caller: units that share a transaction do not learn how much others have used, and below it nobody asks.
 */
export async function settleUsage(
  tx: Transaction,
  key: UsageKey,
  { units, findThreshold }: { units: number; findThreshold: FindThreshold },
): Promise<{ usedBefore: number; usedAfter: number; limit: number }> {
  holdQuotaToRead(tx, key);
  const { used: usedBefore, limit } = await readQuota(tx, key);
  const usedAfter = usedBefore + units;
  let threshold = findThreshold({ limit, used: usedBefore }) ?? Number.MAX_SAFE_INTEGER;
  if (usedAfter >= threshold) {
    tx.requireAlone("a limit's use reaches a threshold");
    threshold = Number.MAX_SAFE_INTEGER;
  }
  holdQuota(tx, key);
  const settled = await tx.run(settleStatement(key, { units, threshold, monthlyLimit: limit }));
  if (settled === 0) throw new Error("settled units that were never reserved");
  return { usedBefore, usedAfter, limit };
}

/** What a release needs to settle with the credits: the values before it. */
export interface ReleasedUsage {
  readonly limit: number;
  /** Reserved plus used units. */
  readonly outstanding: number;
  /** How many of them the credits paid. */
  readonly creditUnits: number;
}

const releaseText = counterText("release");

/** Releases reserved units of a quota that is held. The caller decides how many return to the credits. */
export async function releaseUsage(tx: Transaction, key: UsageKey, units: number): Promise<ReleasedUsage> {
  const { tenantId, merchantId, channel, period } = key;
  const before = await tx.get<ReleasedUsage>(releaseText, tenantId, merchantId, channel, period, units);
  if (before === undefined) throw new Error("released units that were never reserved");
  return before;
}

export const releaseUnpaidStatement = batchStatement({
  params: { ...usageParams, units: "bigint" },
  one: counterText("releaseUnpaid"),
  batch: { kind: "writes", order: "usage", sql: releaseUnpaidBatch },
});

/**
 * Releases reserved units of a period of which the credits paid nothing, so that none return to them. Returns false, with nothing
 * changed, if they did: how many return then depends on all units.
 */
export async function releaseUnpaid(tx: Transaction, key: UsageKey, units: number): Promise<boolean> {
  holdQuotaToRead(tx, key);
  const { creditUnits } = await readQuota(tx, key);
  if (creditUnits > 0) return false;
  holdQuota(tx, key);
  const released = await tx.run(releaseUnpaidStatement(key, { units }));
  if (released === 0) throw new RunAgain("the credits have paid a part of the period's units meanwhile");
  return true;
}

const most = Number.MAX_SAFE_INTEGER;

// no sum here passes `most`, up to which the engine adds exactly: it takes each parameter for a float
const creditsStatement = `
  UPDATE quotas SET
         credits = CASE WHEN $4 > ${most} - credits THEN ${most} ELSE credits + $4 END,
         granted_credits = granted_credits
           - CASE WHEN $4 > ${most} - credits THEN CAST($4 - (${most} - credits) AS BIGINT) ELSE 0 END
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3`;

const returnText = counterText("returnCredits");

/**
 * Returns units of the period, whose quota is held, to the credits; a negative number takes them. Credits are capped at 2^53-1, and the
 * excess is deducted from what was granted.
 */
export async function returnCredits(tx: Transaction, key: UsageKey, units: number): Promise<void> {
  const { tenantId, merchantId, channel, period } = key;
  await tx.run(returnText, tenantId, merchantId, channel, period, units);
  await tx.run(creditsStatement, tenantId, merchantId, channel, units);
}
