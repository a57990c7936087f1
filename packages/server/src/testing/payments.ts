import type { PaymentOrder } from "../carriers/payment-processor.ts";

/** Makes the order of a payment that no processor has. */
export function orderOf(given: Partial<PaymentOrder> = {}): PaymentOrder {
  return {
    ...{ reference: "pay_1", tenantId: 1, paymentMethod: "pm_1", amountCents: 1_000, currency: "USD" },
    ...{ status: "PENDING", request: null, processorPaymentId: null, isOverdue: false, ...given },
  };
}
