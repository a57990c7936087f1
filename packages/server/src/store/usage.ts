// The flow of quota units: reserved when a send is accepted, then settled or released on its outcome.

import { addOnceInTurns, toUsageText, usageCounters } from "./counter-turns.ts";
import { type Channel, holdQuota } from "./merchants.ts";
import { RunAgain, type Transaction } from "./store.ts";

export interface UsageKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** First day of the month in which the send was accepted: it settles there, whenever its outcome comes. */
  readonly period: string;
}

/** Put off on SQLite, and added up: see sqlite/quota-drafts.ts. */
export const reserveAtOnceStatement = `
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
  const statement = tx.dialect.keepsVersions ? reserveStatement : reserveAtOnceStatement;
  const saved = await tx.run(statement, tenantId, merchantId, channel, period, units, creditUnits);
  if (saved === 0) throw new RunAgain("a counter has begun a new turn");
  if (creditUnits > 0) await tx.run(takeCreditsStatement, tenantId, merchantId, channel, creditUnits);
}

interface QuotaState {
  readonly limit: number;
  readonly credits: number;
  readonly used: number;
  readonly reserved: number;
  /** How many of both the credits paid. */
  readonly creditUnits: number;
}

/** Has a set form. */
export const quotaStateStatement = toUsageText(
  (joinUsage) => `
  SELECT q.monthly_limit AS "limit", q.credits, COALESCE(u.used, 0) AS used, COALESCE(u.reserved, 0) AS reserved,
         COALESCE(u.credit_units, 0) AS "creditUnits"
    FROM quotas q ${joinUsage("$4")}
   WHERE q.tenant_id = $1 AND q.merchant_id = $2 AND q.channel = $3`,
);

async function readQuota(tx: Transaction, key: UsageKey): Promise<QuotaState> {
  const { tenantId, merchantId, channel, period } = key;
  const quota = await tx.get<QuotaState>(quotaStateStatement(tx.dialect), tenantId, merchantId, channel, period);
  if (quota === undefined) throw new Error("a merchant has no quota");
  return quota;
}

/** The state of a channel's quota in the period, as rules/quota expects it. Held for update. */
export function findQuota(tx: Transaction, key: UsageKey): Promise<QuotaState> {
  holdQuota(tx, key);
  return readQuota(tx, key);
}

const settleAtOnceStatement = `
  UPDATE usage SET used = used + $5, reserved = reserved - $5
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND period = $4`;

/** Has a set form. */
export const settleStatement = addOnceInTurns(
  usageCounters,
  ["$5", "-CAST($5 AS BIGINT)", "0"],
  `SELECT used FROM saved WHERE used < CAST($6 AS BIGINT)
      AND CAST($7 AS BIGINT) = (SELECT monthly_limit FROM quotas
                                 WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3)`,
);

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
  if (!tx.isShared) holdQuota(tx, key);
  const { used: usedBefore, limit } = await readQuota(tx, key);
  const usedAfter = usedBefore + units;
  const threshold = tx.isShared ? findThreshold({ limit, used: usedBefore }) : undefined;
  if (threshold !== undefined && usedAfter >= threshold) throw new RunAgain("a limit's use reaches a threshold");
  if (tx.isShared) holdQuota(tx, key);
  const { keepsVersions } = tx.dialect;
  const settled = await tx.run(
    keepsVersions ? settleStatement : settleAtOnceStatement,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.period,
    units,
    ...(keepsVersions ? [threshold ?? Number.MAX_SAFE_INTEGER, limit] : []),
  );
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
    tx.dialect.keepsVersions ? releaseStatement : releaseAtOnceStatement,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.period,
    units,
  );
  if (before === undefined) throw new Error("released units that were never reserved");
  return before;
}

const releaseUnpaidAtOnceStatement = `
  UPDATE usage SET reserved = reserved - $5
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND period = $4 AND credit_units = 0`;

/** Has a set form. */
export const releaseUnpaidStatement = addOnceInTurns(
  usageCounters,
  ["0", "-CAST($5 AS BIGINT)", "0"],
  "SELECT used FROM saved WHERE credit_units = 0",
);

/**
 * Releases reserved units of a period of which the credits paid nothing, so that none return to them. For units that share
 * a transaction: where the credits did, how many return depends on all others, and the unit is run by itself.
 */
export async function releaseUnpaid(tx: Transaction, key: UsageKey, units: number): Promise<void> {
  const { creditUnits } = await readQuota(tx, key);
  if (creditUnits > 0) throw new RunAgain("the credits paid a part of the period's units");
  holdQuota(tx, key);
  const { tenantId, merchantId, channel, period } = key;
  const statement = tx.dialect.keepsVersions ? releaseUnpaidStatement : releaseUnpaidAtOnceStatement;
  const released = await tx.run(statement, tenantId, merchantId, channel, period, units);
  if (released === 0) throw new RunAgain("the credits have paid a part of the period's units meanwhile");
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
    tx.dialect.keepsVersions ? returnStatement : returnAtOnceStatement,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.period,
    units,
  );
  await tx.run(creditsStatement, key.tenantId, key.merchantId, key.channel, units);
}
