// Moves a payment on, whoever says so: its processor, or the operator.

import { canMoveOn, move, type PaymentStatus } from "../rules/transitions.ts";
import { endOpenKeys } from "../store/idempotency.ts";
import { addCredits, findCredits, type PaymentRow, savePaymentStatus } from "../store/payments.ts";
import type { Transaction } from "../store/store.ts";

/** What a replay of the request finds its payment by. */
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
    /** Of the operator; null from a processor. */
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

/** Whether the credits stay a safe integer: others may have been added since the request. */
export async function doCreditsFit(tx: Transaction, payment: PaymentRow): Promise<boolean> {
  return Number.isSafeInteger((await findCredits(tx, payment)) + payment.units);
}
