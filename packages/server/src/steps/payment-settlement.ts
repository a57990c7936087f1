// The operator's word on a payment that no processor holds.

import { canMoveOn } from "../rules/transitions.ts";
import { findPayment, type PaymentRow } from "../store/payments.ts";
import type { Transaction } from "../store/store.ts";
import { findTenant } from "../store/tenants.ts";
import { noteDecision } from "./operator-audit.ts";
import { doCreditsFit, movePayment } from "./payment-progress.ts";

export interface Settlement {
  readonly paymentId: string;
  readonly status: "SUCCEEDED" | "FAILED";
  /** What shows that it is so, such as an invoice's number. */
  readonly reference: string;
  /** Who says so. */
  readonly by: string;
  readonly now: number;
}

/**
 * Settles a payment. `isRepeat` says that it was settled so before, which changes nothing. Throws, in the operator's words,
 * where it cannot be settled.
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
