import type { Schemas } from "@msgctl/contract";
import type { Channel } from "./merchants.ts";
import type { Transaction } from "./store.ts";

/** The step that hands a payment to the processor, or asks about one already handed over. Its subject is the payment's id. */
export const SUBMIT_PAYMENT = "payment-submission";

export interface PaymentRow {
  readonly paymentId: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly units: number;
  readonly amountCents: number;
  readonly currency: string;
  /** Null for the tenant's default method. */
  readonly paymentMethod: string | null;
  readonly status: Schemas["PaymentStatus"];
  /** Whether it may already have been handed to its processor. */
  readonly hasBegun: 0 | 1;
  /** What the operator said who settled it, such as an invoice's number; null if no operator did. */
  readonly settledReference: string | null;
  /** Who that operator was; null if none. */
  readonly settledBy: string | null;
}

/** Adds a payment, PENDING. */
export async function insertPayment(
  tx: Transaction,
  payment: Omit<PaymentRow, "status" | "hasBegun" | "settledReference" | "settledBy"> & {
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
}

/** Columns of a row, of a table that is called `p`. */
export const paymentColumns = `p.payment_id AS "paymentId", p.tenant_id AS "tenantId", p.merchant_id AS "merchantId", p.channel, p.units,
  p.amount_cents AS "amountCents", p.currency, p.payment_method AS "paymentMethod", p.status,
  CASE WHEN p.begun_at IS NULL THEN 0 ELSE 1 END AS "hasBegun", p.settled_reference AS "settledReference",
  p.settled_by AS "settledBy"`;

/** The payment, of any tenant. Held for update. */
export function findPayment(tx: Transaction, paymentId: string): Promise<PaymentRow | undefined> {
  return tx.get<PaymentRow>(`SELECT ${paymentColumns} FROM payments p WHERE p.payment_id = $1 FOR UPDATE`, paymentId);
}

/** Marks a payment as handed to nobody, which its processor has proved. */
export async function releasePayment(tx: Transaction, paymentId: string): Promise<void> {
  await tx.run("UPDATE payments SET begun_at = NULL WHERE payment_id = $1", paymentId);
}

/** Marks a payment about to be handed to its processor, or asked about; keeps the first time. */
export async function beginPayment(tx: Transaction, paymentId: string, now: number): Promise<void> {
  await tx.run("UPDATE payments SET begun_at = COALESCE(begun_at, $2) WHERE payment_id = $1", paymentId, now);
}

export async function savePaymentStatus(
  tx: Transaction,
  change: Pick<PaymentRow, "paymentId" | "status" | "settledReference" | "settledBy"> & {
    failureReason: string | null;
    now: number;
  },
): Promise<void> {
  await tx.run(
    `UPDATE payments SET status = $2, failure_reason = $3, settled_reference = $4, settled_by = $5, updated_at = $6
      WHERE payment_id = $1`,
    change.paymentId,
    change.status,
    change.failureReason,
    change.settledReference,
    change.settledBy,
    change.now,
  );
}

/** The channel's credits; 0 if it was never given any. Held for update. */
export async function findCredits(
  tx: Transaction,
  { tenantId, merchantId, channel }: { tenantId: number; merchantId: string; channel: Channel },
): Promise<number> {
  const quota = await tx.get<{ credits: number }>(
    "SELECT credits FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 FOR UPDATE",
    tenantId,
    merchantId,
    channel,
  );
  return quota?.credits ?? 0;
}

/** Adds bought units to the channel's credits. */
export async function addCredits(
  tx: Transaction,
  { tenantId, merchantId, channel, units }: { tenantId: number; merchantId: string; channel: Channel; units: number },
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
