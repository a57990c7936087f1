// The flow of quota units: reserved when a send is accepted, then settled or released on its outcome.

import { addOnceInTurns, usageCounters } from "./counter-turns.ts";
import { type Channel, holdQuota } from "./merchants.ts";
import { RunAgain, type Transaction } from "./store.ts";

export interface UsageKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** First day of the month in which the send was accepted: it settles there, whenever its outcome comes. */
  readonly period: string;
}

const reserveAtOnceStatement = `
  INSERT INTO usage (tenant_id, merchant_id, channel, period, used, reserved, credit_units)
  VALUES ($1, $2, $3, $4, 0, $5, $6)
  ON CONFLICT (tenant_id, merchant_id, channel, period) DO UPDATE
    SET reserved = usage.reserved + excluded.reserved, credit_units = usage.credit_units + excluded.credit_units`;

/** Has a set form. */
export const reserveStatement = addOnceInTurns(usageCounters, ["0", "$5", "$6"], "SELECT used FROM saved");

/** Has a set form. */
export const takeCreditsStatement =
  "UPDATE quotas SET credits = credits - $4 WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3";

/** Reserves `units` of the period, of which `creditUnits` are taken from the credits. The caller has checked them. */
export async function reserveUsage(
  tx: Transaction,
  { tenantId, merchantId, channel, period }: UsageKey,
  { units, creditUnits }: { units: number; creditUnits: number },
): Promise<void> {
  // others have held it before they looked at what is left
  if (tx.isShared) holdQuota(tx, { tenantId, merchantId, channel });
  const statement = tx.dialect.countsInTurns ? reserveStatement : reserveAtOnceStatement;
  const saved = await tx.run(statement, tenantId, merchantId, channel, period, units, creditUnits);
  if (saved === 0) throw new RunAgain("a counter has begun a new turn");
  if (creditUnits > 0) await tx.run(takeCreditsStatement, tenantId, merchantId, channel, creditUnits);
}

/** The state of a channel's quota in the period, as rules/quota expects it. Held for update. */
export async function findQuota(
  tx: Transaction,
  key: UsageKey,
): Promise<{ limit: number; credits: number; used: number; reserved: number }> {
  holdQuota(tx, key);
  const quota = await tx.get<{ limit: number; credits: number; used: number; reserved: number }>(
    `SELECT q.monthly_limit AS "limit", q.credits, COALESCE(u.used, 0) AS used, COALESCE(u.reserved, 0) AS reserved
       FROM quotas q
       LEFT JOIN usage u ON u.tenant_id = q.tenant_id AND u.merchant_id = q.merchant_id
                        AND u.channel = q.channel AND u.period = $4
      WHERE q.tenant_id = $1 AND q.merchant_id = $2 AND q.channel = $3`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.period,
  );
  if (quota === undefined) throw new Error("a merchant has no quota");
  return quota;
}

const settleAtOnceStatement = `
  UPDATE usage SET used = used + $5, reserved = reserved - $5
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND period = $4 RETURNING used`;

/** Has a set form. */
export const settleStatement = addOnceInTurns(
  usageCounters,
  ["$5", "-CAST($5 AS BIGINT)", "0"],
  "SELECT used FROM saved",
);

/** Has a set form. */
export const limitStatement =
  'SELECT monthly_limit AS "limit" FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3';

/** Turns reserved units into used ones. Returns the use of the limit afterwards. */
export async function settleUsage(
  tx: Transaction,
  key: UsageKey,
  units: number,
): Promise<{ used: number; limit: number }> {
  const { tenantId, merchantId, channel, period } = key;
  holdQuota(tx, key);
  const statement = tx.dialect.countsInTurns ? settleStatement : settleAtOnceStatement;
  const [usage, quota] = await Promise.all([
    tx.get<{ used: number }>(statement, tenantId, merchantId, channel, period, units),
    tx.get<{ limit: number }>(limitStatement, tenantId, merchantId, channel),
  ]);
  if (usage === undefined || quota === undefined) throw new Error("settled units that were never reserved");
  return { used: usage.used, limit: quota.limit };
}

/** What a release needs to settle with the credits: the values before it. */
export interface ReleasedUsage {
  readonly limit: number;
  /** Reserved plus used units. */
  readonly outstanding: number;
  /** How many of them the credits paid. */
  readonly creditUnits: number;
}

const released = `used + reserved + $5 AS outstanding, credit_units AS "creditUnits",
  (SELECT monthly_limit FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3) AS "limit"`;
const releaseAtOnceStatement = `
  UPDATE usage SET reserved = reserved - $5
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND period = $4 RETURNING ${released}`;
const releaseStatement = addOnceInTurns(
  usageCounters,
  ["0", "-CAST($5 AS BIGINT)", "0"],
  `SELECT ${released} FROM saved`,
);

/** Releases reserved units of a quota that is held. The caller decides how many return to the credits. */
export async function releaseUsage(tx: Transaction, key: UsageKey, units: number): Promise<ReleasedUsage> {
  const before = await tx.get<ReleasedUsage>(
    tx.dialect.countsInTurns ? releaseStatement : releaseAtOnceStatement,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.period,
    units,
  );
  if (before === undefined) throw new Error("released units that were never reserved");
  return before;
}

const most = Number.MAX_SAFE_INTEGER;

// no sum here passes `most`, up to which the engine adds exactly: it takes each parameter for a float
const creditsStatement = `
  UPDATE quotas SET
         credits = CASE WHEN $4 > ${most} - credits THEN ${most} ELSE credits + $4 END,
         granted_credits = granted_credits
           - CASE WHEN $4 > ${most} - credits THEN CAST($4 - (${most} - credits) AS BIGINT) ELSE 0 END
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3`;

const returnAtOnceStatement = `
  UPDATE usage SET credit_units = credit_units - $5
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND period = $4`;
const returnStatement = addOnceInTurns(usageCounters, ["0", "0", "-CAST($5 AS BIGINT)"], "SELECT used FROM saved");

/**
 * Returns units of the period, whose quota is held, to the credits; a negative number takes them. Credits are capped at 2^53-1, and the
 * excess is deducted from what was granted.
 */
export async function returnCredits(tx: Transaction, key: UsageKey, units: number): Promise<void> {
  await tx.run(
    tx.dialect.countsInTurns ? returnStatement : returnAtOnceStatement,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.period,
    units,
  );
  await tx.run(creditsStatement, key.tenantId, key.merchantId, key.channel, units);
}
