import { SUBMIT_PAYMENT } from "../store/payments.ts";

/** The step that hands a payment to the processor, or asks about one already handed over. */
export function submitPaymentJob(paymentId: string, dueAt: number) {
  return { kind: SUBMIT_PAYMENT, subject: paymentId, dueAt };
}
