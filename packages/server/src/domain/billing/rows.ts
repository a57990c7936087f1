// Stores the usage of merchants' quotas, the daily totals of charges, payments, and the credits that payments buy. Quota
// units are reserved when a send is accepted, and settled or released when its outcome is known.

import type { Schemas } from "@msgctl/contract";
import { counterText, toUsageText } from "../../store/counters/counters.ts";
import {
  addToDayBatch,
  postgresCounters,
  releaseUnpaidBatch,
  reserveBatch,
  settleBatch,
} from "../../store/counters/postgres.ts";
import { queueOf } from "../../store/queue/engine.ts";
import { queueOrders } from "../../store/queue/queue.ts";
import { batchStatement, rowOf } from "../../store/statement.ts";
import { findCount, RunAgain, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import { lockQuota, lockQuotaToRead } from "../merchants/rows.ts";

export interface UsageKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** First day of the month in which the send was accepted. Its units settle in that month, even if its outcome is later. */
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
    // the quotas are locked, so no credits can fall below 0
    sql: (wanted) => `
      UPDATE quotas q SET credits = q.credits - s.units
        FROM (SELECT tenant_id, merchant_id, channel, SUM(units)::bigint AS units
                FROM ${wanted} GROUP BY tenant_id, merchant_id, channel) AS s
       WHERE s.tenant_id = q.tenant_id AND s.merchant_id = q.merchant_id AND s.channel = q.channel`,
  },
});

/**
 * Reserves `units` of the period, and takes `creditUnits` of them from the credits. The caller must have checked that
 * the quota covers both.
 */
export async function reserveUsage(
  tx: Transaction,
  key: UsageKey,
  { units, creditUnits }: { units: number; creditUnits: number },
): Promise<void> {
  lockQuota(tx, key);
  const saved = await tx.run(reserveStatement(key, { units, creditUnits }));
  if (saved === 0) throw new RunAgain("a counter has begun a new generation");
  if (creditUnits > 0) await tx.run(takeCreditsStatement(key, { units: creditUnits }));
}

interface QuotaState {
  readonly limit: number;
  readonly credits: number;
  readonly used: number;
  readonly reserved: number;
  /** The number of used and reserved units that the credits paid for. */
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
    kind: "early-reads",
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

/** Reads a channel's quota in the period, as rules.ts expects it. Locks it for update. */
export function findQuota(tx: Transaction, key: UsageKey): Promise<QuotaState> {
  lockQuota(tx, key);
  return readQuota(tx, key);
}

export const settleStatement = batchStatement({
  params: { ...usageParams, units: "bigint", threshold: "bigint", monthlyLimit: "bigint" },
  one: counterText("settle"),
  batch: { kind: "writes", order: "usage", sql: settleBatch },
});

/**
 * Turns reserved units into used ones. Returns the limit, and the usage before and after. Units of work that share a
 * transaction do not see each other's usage, so if the usage reaches the value of `findThreshold`, this work runs alone.
 */
export async function settleUsage(
  tx: Transaction,
  key: UsageKey,
  request: { units: number; findThreshold: (use: { limit: number; used: number }) => number | undefined },
): Promise<{ usedBefore: number; usedAfter: number; limit: number }> {
  const { units, findThreshold } = request;
  lockQuotaToRead(tx, key);
  const { used: usedBefore, limit } = await readQuota(tx, key);
  const usedAfter = usedBefore + units;
  let threshold = findThreshold({ limit, used: usedBefore }) ?? Number.MAX_SAFE_INTEGER;
  if (usedAfter >= threshold) {
    tx.requireAlone("the usage reaches a threshold of its limit");
    threshold = Number.MAX_SAFE_INTEGER;
  }
  lockQuota(tx, key);
  const settled = await tx.run(settleStatement(key, { units, threshold, monthlyLimit: limit }));
  if (settled === 0) throw new Error("settled units that were never reserved");
  return { usedBefore, usedAfter, limit };
}

/** The usage before a release; it decides how many units return to the credits. */
export interface ReleasedUsage {
  readonly limit: number;
  /** Reserved plus used units. */
  readonly outstanding: number;
  /** The number of outstanding units that the credits paid for. */
  readonly creditUnits: number;
}

const releaseText = counterText("release");

/** Releases reserved units of a quota that the caller has locked. The caller decides how many return to the credits. */
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
 * Releases reserved units if the credits paid for no units of the period, so that no units return to the credits.
 * Otherwise changes nothing and returns false: the caller then uses `releaseUsage`.
 */
export async function releaseUnpaid(tx: Transaction, key: UsageKey, units: number): Promise<boolean> {
  lockQuotaToRead(tx, key);
  const { creditUnits } = await readQuota(tx, key);
  if (creditUnits > 0) return false;
  lockQuota(tx, key);
  const released = await tx.run(releaseUnpaidStatement(key, { units }));
  if (released === 0) throw new RunAgain("the credits have meanwhile paid for units of the period");
  return true;
}

const most = Number.MAX_SAFE_INTEGER;

// No sum may exceed `most`: the engine reads parameters as floats, and adds floats exactly only up to 2^53-1.
const creditsStatement = `
  UPDATE quotas SET
         credits = CASE WHEN $4 > ${most} - credits THEN ${most} ELSE credits + $4 END,
         granted_credits = granted_credits
           - CASE WHEN $4 > ${most} - credits THEN CAST($4 - (${most} - credits) AS BIGINT) ELSE 0 END
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3`;

const returnText = counterText("returnCredits");

/**
 * Returns units of the period to the credits; a negative number takes units from them. The caller has locked the quota.
 * Credits are capped at 2^53-1; the excess is deducted from `granted_credits`.
 */
export async function returnCredits(tx: Transaction, key: UsageKey, units: number): Promise<void> {
  const { tenantId, merchantId, channel, period } = key;
  await tx.run(returnText, tenantId, merchantId, channel, period, units);
  await tx.run(creditsStatement, tenantId, merchantId, channel, units);
}

/** Key of a row of the daily totals. Charging a message updates them, so that reports never scan messages. */
export interface DayKey {
  readonly tenantId: number;
  readonly channel: Channel;
  /** The day on which the message was accepted, `YYYY-MM-DD`, in the tenant's time zone. */
  readonly day: string;
}

export interface Total {
  readonly units: number;
  readonly providerCostMicros: number;
  readonly markupMicros: number;
}

export const addToDayStatement = batchStatement({
  params: {
    tenantId: "bigint",
    day: "text",
    channel: "text",
    units: "bigint",
    providerCostMicros: "bigint",
    markupMicros: "bigint",
  },
  one: counterText("addToDay"),
  batch: { kind: "writes", order: "daily_totals", sql: addToDayBatch },
});

/** Adds a charged message to its day's total. Call it in the transaction that charges the message. */
export async function addToDay(tx: Transaction, day: DayKey, charged: Total): Promise<void> {
  const saved = await tx.run(addToDayStatement(day, charged));
  if (saved === 0) throw new RunAgain("a counter has begun a new generation");
}

/** Sums each channel's totals over the days from `from` to `to`, both inclusive. */
export function sumDays(
  tx: Transaction,
  tenantId: number,
  { from, to }: { from: string; to: string },
): Promise<(Total & { channel: Channel })[]> {
  return tx.all(
    `SELECT channel, CAST(SUM(units) AS BIGINT) AS units,
            CAST(SUM(provider_cost_micros) AS BIGINT) AS "providerCostMicros",
            CAST(SUM(markup_micros) AS BIGINT) AS "markupMicros"
       FROM daily_totals WHERE tenant_id = $1 AND day >= $2 AND day <= $3 GROUP BY channel`,
    tenantId,
    from,
    to,
  );
}

export interface PaymentRow {
  readonly paymentId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly units: number;
  readonly amountCents: number;
  readonly currency: string;
  /** Null for the tenant's default payment method. */
  readonly paymentMethod: string | null;
  readonly status: Schemas["PaymentStatus"];
  /** Whether the payment may already have been handed to its processor. */
  readonly hasBegun: 0 | 1;
  /** The reference given by the operator who settled it, such as an invoice number; null if no operator did. */
  readonly settledReference: string | null;
  /** The name of that operator; null if no operator settled it. */
  readonly settledBy: string | null;
  /** Why it failed or was canceled, for the operator; otherwise null. */
  readonly failureReason: string | null;
  /** Name of the processor that it was handed to; null for the simulated processor. */
  readonly processor: string | null;
  /** The processor's request, which is repeated unchanged; null before it is known. */
  readonly processorRequest: string | null;
  /** The earliest time at which the processor may have got the request; null if it certainly has not. */
  readonly requestedAt: number | null;
  /** The processor's id of the payment; null before it is known. */
  readonly processorPaymentId: string | null;
  /** The job that asks the processor about it. */
  readonly jobId: number | null;
  /** Where the customer can authenticate the payment. */
  readonly actionUrl: string | null;
  /** Why no processor can tell the outcome, so that the operator has to find out; otherwise null. */
  readonly undecided: string | null;
  readonly refundedCents: number;
  readonly isDisputed: 0 | 1;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** When its status last changed, in epoch milliseconds. */
  readonly updatedAt: number;
}

/** A payment as its request describes it. */
export type RequestedPayment = Pick<
  PaymentRow,
  "paymentId" | "tenantId" | "merchantId" | "channel" | "units" | "amountCents" | "currency" | "paymentMethod"
>;

/** Adds a payment with status PENDING. */
export async function insertPayment(
  tx: Transaction,
  payment: RequestedPayment & {
    note: string | null;
    referenceId: string | null;
    now: number;
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO payments (payment_id, tenant_id, merchant_id, channel, units, amount_cents, currency, payment_method,
       note, reference_id, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'PENDING', $11, $11)`,
    payment.paymentId,
    payment.tenantId,
    payment.merchantId,
    payment.channel,
    payment.units,
    payment.amountCents,
    payment.currency,
    payment.paymentMethod,
    payment.note,
    payment.referenceId,
    payment.now,
  );
  tx.note({ kind: "payment", status: "PENDING" });
}

/** The columns of a `PaymentRow`, from payments as `p`. */
export const paymentColumns = `p.payment_id AS "paymentId", p.tenant_id AS "tenantId", p.merchant_id AS "merchantId", p.channel, p.units,
  p.amount_cents AS "amountCents", p.currency, p.payment_method AS "paymentMethod", p.status,
  CASE WHEN p.begun_at IS NULL THEN 0 ELSE 1 END AS "hasBegun", p.settled_reference AS "settledReference",
  p.settled_by AS "settledBy", p.failure_reason AS "failureReason", p.processor,
  p.processor_request AS "processorRequest", p.requested_at AS "requestedAt",
  p.processor_payment_id AS "processorPaymentId", p.job_id AS "jobId", p.action_url AS "actionUrl", p.undecided,
  p.refunded_cents AS "refundedCents", p.is_disputed AS "isDisputed", p.created_at AS "createdAt",
  p.updated_at AS "updatedAt"`;

/** Finds a payment of any tenant. Locks it for update. */
export function findPayment(tx: Transaction, paymentId: string): Promise<PaymentRow | undefined> {
  return tx.get<PaymentRow>(`SELECT ${paymentColumns} FROM payments p WHERE p.payment_id = $1 FOR UPDATE`, paymentId);
}

/** Finds a payment of any tenant by its processor's id, or else by its own id. Locks nothing. */
export async function peekPayment(
  tx: Transaction,
  { processorPaymentId, paymentId }: { processorPaymentId: string; paymentId: string | undefined },
): Promise<PaymentRow | undefined> {
  const select = `SELECT ${paymentColumns} FROM payments p WHERE`;
  const known = await tx.get<PaymentRow>(`${select} p.processor_payment_id = $1 LIMIT 1`, processorPaymentId);
  if (known !== undefined || paymentId === undefined) return known;
  return tx.get<PaymentRow>(`${select} p.payment_id = $1`, paymentId);
}

/**
 * Leaves a payment to the operator. Without `undecided`, its processor must have proved that it never received the payment;
 * otherwise the payment is never handed to a processor again.
 */
export async function releasePayment(tx: Transaction, paymentId: string, undecided?: string): Promise<void> {
  await tx.run(
    "UPDATE payments SET begun_at = NULL, undecided = $2 WHERE payment_id = $1",
    paymentId,
    undecided ?? null,
  );
}

/**
 * Call before handing a payment to its processor or asking about it. Records the time of the first such call, and the job
 * that asks again.
 */
export async function beginPayment(
  tx: Transaction,
  { paymentId, processor, jobId, now }: Pick<PaymentRow, "paymentId" | "processor"> & { jobId: number; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE payments SET begun_at = COALESCE(begun_at, $2), processor = COALESCE(processor, $3), job_id = $4
      WHERE payment_id = $1`,
    paymentId,
    now,
    processor,
    jobId,
  );
}

/** Records the job that asks the processor about a payment. */
export async function savePaymentJob(tx: Transaction, paymentId: string, jobId: number): Promise<void> {
  await tx.run("UPDATE payments SET job_id = $2 WHERE payment_id = $1", paymentId, jobId);
}

/**
 * Records a processor's request before it leaves. Returns false if the payment must not be requested: it has ended or was
 * released meanwhile.
 */
export async function savePaymentRequest(
  tx: Transaction,
  { paymentId, processor, request, now }: { paymentId: string; processor: string; request: string; now: number },
): Promise<boolean> {
  const saved = await tx.run(
    `UPDATE payments SET processor = $2, processor_request = $3, requested_at = COALESCE(requested_at, $4)
      WHERE payment_id = $1 AND status = 'PENDING' AND begun_at IS NOT NULL AND processor_request IS NULL`,
    paymentId,
    processor,
    request,
    now,
  );
  return saved > 0;
}

/** Records what the processor knows about a payment besides its status. */
export async function savePaymentFacts(
  tx: Transaction,
  facts: Pick<PaymentRow, "paymentId" | "processorPaymentId" | "actionUrl" | "refundedCents" | "isDisputed">,
): Promise<void> {
  await tx.run(
    `UPDATE payments SET processor_payment_id = $2, action_url = $3, refunded_cents = $4, is_disputed = $5
      WHERE payment_id = $1`,
    facts.paymentId,
    facts.processorPaymentId,
    facts.actionUrl,
    facts.refundedCents,
    facts.isDisputed,
  );
}

/** Records the id that the processor gave a payment, unless one is known. */
export async function saveProcessorPaymentId(tx: Transaction, paymentId: string, id: string): Promise<void> {
  await tx.run(
    "UPDATE payments SET processor_payment_id = COALESCE(processor_payment_id, $2) WHERE payment_id = $1",
    paymentId,
    id,
  );
}

/** Removes or sets the note that no processor can tell the outcome. */
export async function saveUndecided(tx: Transaction, paymentId: string, undecided: string | null): Promise<void> {
  await tx.run("UPDATE payments SET undecided = $2 WHERE payment_id = $1", paymentId, undecided);
}

export async function savePaymentStatus(
  tx: Transaction,
  change: Pick<PaymentRow, "paymentId" | "status" | "settledReference" | "settledBy"> & {
    failureReason: string | null;
    now: number;
  },
): Promise<void> {
  await tx.run(
    `UPDATE payments SET status = $2, failure_reason = $3, settled_reference = $4, settled_by = $5, updated_at = $6,
            undecided = NULL, action_url = CASE WHEN $2 = 'REQUIRES_ACTION' THEN action_url END
      WHERE payment_id = $1`,
    change.paymentId,
    change.status,
    change.failureReason,
    change.settledReference,
    change.settledBy,
    change.now,
  );
}

/** Finds the channel's credits; 0 if none were ever granted. Locks the quota for update. */
export function findCredits(tx: Transaction, key: Omit<UsageKey, "period">): Promise<number> {
  const sql = "SELECT credits FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 FOR UPDATE";
  return findCount(tx, sql, key.tenantId, key.merchantId, key.channel);
}

/** Adds bought units to the channel's credits. */
export async function addCredits(
  tx: Transaction,
  { tenantId, merchantId, channel, units }: Omit<UsageKey, "period"> & { units: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO quotas (tenant_id, merchant_id, channel, monthly_limit, credits) VALUES ($1, $2, $3, 0, $4)
     ON CONFLICT (tenant_id, merchant_id, channel) DO UPDATE SET credits = quotas.credits + excluded.credits`,
    tenantId,
    merchantId,
    channel,
    units,
  );
}

/** A range of a tenant's messages, given both by time and by id. */
export interface OpenRange {
  readonly tenantId: number;
  /** Range of acceptance times in epoch milliseconds, from `fromMs` inclusive to `toMs` exclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The same range in message ids, wider to allow for a clock that was set back. */
  readonly fromId: string;
  readonly toId: string;
  /** A message that is already charged counts only if it was accepted after this time. */
  readonly freshAfterMs: number;
}

/**
 * Returns whether any SMS or email in the range that costs units still has to be charged or to reach its final state.
 * Reads only indexes of open messages: those of the queue (one for SMS, one for email) and of `dispatches`.
 */
export async function hasOpenItems(tx: Transaction, range: OpenRange): Promise<boolean> {
  const { tenantId, fromMs, toMs, fromId, toId, freshAfterMs } = range;
  for (const order of [queueOrders.HIGH, queueOrders.NORMAL]) {
    if (await queueOf(tx).hasItems(tx, { tenantId, order, fromId, toId, fromMs, toMs })) return true;
  }
  const underWay = await tx.get(
    `SELECT 1 AS found FROM dispatches d JOIN messages m ON m.message_id = d.message_id
      WHERE d.tenant_id = $1 AND d.accepted_at >= $2 AND d.accepted_at < $3
        AND m.channel <> 'VOICE' AND m.units > 0 AND (m.charge = 'RESERVED' OR d.accepted_at > $4) LIMIT 1`,
    tenantId,
    fromMs,
    toMs,
    freshAfterMs,
  );
  return underWay !== undefined;
}
