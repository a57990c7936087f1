// Changes the status of payments, as their processor reports it or the operator decides it.

import { endOpenKeys } from "../../store/idempotency.ts";
import { SUBMIT_PAYMENT } from "../../store/jobs.ts";
import type { Transaction } from "../../store/store.ts";
import { noteDecision } from "../tenancy/operator-audit.ts";
import { findTenant } from "../tenancy/rows.ts";
import { canMoveOn, move, type PaymentStatus } from "../transitions.ts";
import { addCredits, findCredits, findPayment, type PaymentRow, savePaymentStatus } from "./rows.ts";

/** The reference through which a replayed request finds its payment. */
export function toPaymentReference(paymentId: string): { readonly paymentId: string } {
  return { paymentId };
}

/**
 * Moves the payment to another status of its transition table. The move to SUCCEEDED adds the credits, in the same
 * transaction; SUCCEEDED is final, so they are added once. A final status starts the lifetime of the request's
 * Idempotency-Key. The caller must have checked `doCreditsFit`.
 */
export async function movePayment(
  tx: Transaction,
  payment: PaymentRow,
  change: {
    status: PaymentStatus;
    failureReason: string | null;
    /** The operator's reference and name; null if a processor reports the change. */
    settlement: { readonly reference: string; readonly by: string } | null;
    now: number;
  },
): Promise<void> {
  const { paymentId } = payment;
  const { failureReason, settlement, now } = change;
  const status = move("payment", payment.status, change.status);
  const settled = { settledReference: settlement?.reference ?? null, settledBy: settlement?.by ?? null };
  await savePaymentStatus(tx, { paymentId, status, failureReason, ...settled, now });
  tx.note({ kind: "payment", status });
  if (!canMoveOn("payment", status)) {
    await endOpenKeys(tx, { reference: JSON.stringify(toPaymentReference(paymentId)), endedAt: now });
  }
  if (status === "SUCCEEDED") await addCredits(tx, payment);
}

/** Returns whether the credits would stay a safe integer. Some may have been added since the request was checked. */
export async function doCreditsFit(tx: Transaction, payment: PaymentRow): Promise<boolean> {
  return Number.isSafeInteger((await findCredits(tx, payment)) + payment.units);
}

/** Makes the job that hands a payment to the processor, or asks about it if it was already handed over. */
export function submitPaymentJob(paymentId: string, dueAt: number) {
  return { kind: SUBMIT_PAYMENT, subject: paymentId, dueAt };
}

/** The operator's decision on a payment that no processor holds. */
export interface Settlement {
  readonly paymentId: string;
  readonly status: "SUCCEEDED" | "FAILED";
  /** Proof, such as an invoice number. */
  readonly reference: string;
  /** Name of the operator. */
  readonly by: string;
  readonly now: number;
}

/**
 * Settles a payment. Throws with a message for the operator if it cannot be settled. `isRepeat` is true if the payment
 * was already settled with this status and reference; then nothing changes.
 */
export async function settlePayment(
  tx: Transaction,
  settlement: Settlement,
): Promise<{ readonly payment: PaymentRow; readonly isRepeat: boolean }> {
  const { paymentId, status, reference, by, now } = settlement;
  const payment = await findPayment(tx, paymentId);
  if (payment === undefined) {
    throw new Error(`there is no payment ${paymentId}: msgd payments list shows the open ones`);
  }
  if (payment.status === status && payment.settledReference === reference) return { payment, isRepeat: true };
  const obstacle = await findObstacle(tx, payment, status);
  if (obstacle !== undefined) throw new Error(`payment ${paymentId} ${obstacle}`);
  const failureReason = status === "FAILED" ? "settled_by_operator" : null;
  await movePayment(tx, payment, { status, failureReason, settlement: { reference, by }, now });
  await noteDecision(tx, {
    ...{ tenantId: payment.tenantId, by, now },
    operation: "payments settle",
    target: `paymentId ${paymentId}, ${status}, reference ${reference}`,
  });
  return { payment: { ...payment, status, settledReference: reference, settledBy: by }, isRepeat: false };
}

async function findObstacle(
  tx: Transaction,
  payment: PaymentRow,
  status: Settlement["status"],
): Promise<string | undefined> {
  const { tenantId, merchantId, channel, settledBy, settledReference } = payment;
  if (!canMoveOn("payment", payment.status)) {
    const by = settledBy === null ? "its processor" : `${settledBy} with the reference "${settledReference}"`;
    return `is already ${payment.status}, settled by ${by}: this cannot be changed`;
  }
  if ((await findTenant(tx, tenantId))?.mode === "test") {
    return `is of tenant ${tenantId}, a test tenant, whose payments are simulated: this command settles payments of live tenants only`;
  }
  if (payment.hasBegun === 1) {
    return `is ${payment.status} at its processor, which settles it: this command settles only payments that no processor holds`;
  }
  if (status === "SUCCEEDED" && !(await doCreditsFit(tx, payment))) {
    return `buys ${payment.units} units, and the ${channel} credits of ${merchantId} would exceed 2^53-1: refund the payment, and settle it as failed`;
  }
  return undefined;
}
