// Moves payments on, by the word of their processor or of the operator.

import { endOpenKeys } from "../../store/idempotency.ts";
import { SUBMIT_PAYMENT } from "../../store/jobs.ts";
import type { Transaction } from "../../store/store.ts";
import { noteDecision } from "../tenancy/operator-audit.ts";
import { findTenant } from "../tenancy/rows.ts";
import { canMoveOn, move, type PaymentStatus } from "../transitions.ts";
import { addCredits, findCredits, findPayment, type PaymentRow, savePaymentStatus } from "./rows.ts";

/** The reference by which a replay of the request finds its payment. */
export function toPaymentReference(paymentId: string): { readonly paymentId: string } {
  return { paymentId };
}

/**
 * Moves the payment along its table. Only the move to SUCCEEDED adds credits, in the same transaction; as that state is
 * final, it happens once. From a final state on, the request's Idempotency-Key expires. Requires that the credits fit.
 */
export async function movePayment(
  tx: Transaction,
  payment: PaymentRow,
  change: {
    status: PaymentStatus;
    failureReason: string | null;
    /** The operator's; null from a processor. */
    settlement: { readonly reference: string; readonly by: string } | null;
    now: number;
  },
): Promise<void> {
  const { paymentId } = payment;
  const { failureReason, settlement, now } = change;
  const status = move("payment", payment.status, change.status);
  const settled = { settledReference: settlement?.reference ?? null, settledBy: settlement?.by ?? null };
  await savePaymentStatus(tx, { paymentId, status, failureReason, ...settled, now });
  if (!canMoveOn("payment", status)) {
    await endOpenKeys(tx, { reference: JSON.stringify(toPaymentReference(paymentId)), endedAt: now });
  }
  if (status === "SUCCEEDED") await addCredits(tx, payment);
}

/** Returns whether the credits stay a safe integer: others may have been added since the request. */
export async function doCreditsFit(tx: Transaction, payment: PaymentRow): Promise<boolean> {
  return Number.isSafeInteger((await findCredits(tx, payment)) + payment.units);
}

/** The job that hands a payment to the processor, or asks about one already handed over. */
export function submitPaymentJob(paymentId: string, dueAt: number) {
  return { kind: SUBMIT_PAYMENT, subject: paymentId, dueAt };
}

/** The operator's word on a payment that no processor has. */
export interface Settlement {
  readonly paymentId: string;
  readonly status: "SUCCEEDED" | "FAILED";
  /** Proof, such as an invoice's number. */
  readonly reference: string;
  /** Name of the operator. */
  readonly by: string;
  readonly now: number;
}

/**
 * Settles a payment. `isRepeat` says that it was settled so before, which changes nothing. Throws, in the operator's
 * words, if it cannot be settled.
 */
export async function settlePayment(
  tx: Transaction,
  settlement: Settlement,
): Promise<{ readonly payment: PaymentRow; readonly isRepeat: boolean }> {
  const { paymentId, status, reference, by, now } = settlement;
  const payment = await findPayment(tx, paymentId);
  if (payment === undefined) {
    throw new Error(`there is no payment ${paymentId}: msgd payments list shows those that wait`);
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
    const how = settledBy === null ? "by its processor" : `by ${settledBy}, with the reference "${settledReference}"`;
    return `is ${payment.status} already, ${how}: that stays`;
  }
  if ((await findTenant(tx, tenantId))?.mode === "test") {
    return `is of tenant ${tenantId}, a test tenant, whose payments are simulated: only those of live tenants are settled here`;
  }
  if (payment.hasBegun === 1) {
    return `is ${payment.status} at its processor, which settles it: only what no processor holds is settled here`;
  }
  if (status === "SUCCEEDED" && !(await doCreditsFit(tx, payment))) {
    return `buys ${payment.units} units, with which the ${channel} credits of ${merchantId} would be more than are counted: give back what was paid, and settle it as failed`;
  }
  return undefined;
}
