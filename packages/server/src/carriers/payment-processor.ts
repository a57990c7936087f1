// The port between the server and its payment processors.

import type { PaymentStatus } from "../domain/transitions.ts";

/** A status change of a payment, which the processor reports `afterMs` after the request. */
export interface PaymentNews {
  readonly afterMs: number;
  readonly status: Exclude<PaymentStatus, "PENDING">;
  /** Why the payment failed, for the operator; otherwise null. */
  readonly reason: string | null;
}

/** A payment as its processor knows it. */
export interface PaymentOrder {
  /** The payment's id, used to look the payment up after a lost answer. The processor never charges a reference twice. */
  readonly reference: string;
  readonly paymentMethod: string | null;
  readonly amountCents: number;
}

/** `absent` proves that the processor has not accepted the payment and never will; `unknown` proves nothing. */
export type PaymentFinding =
  | { readonly outcome: "taken"; readonly news: readonly PaymentNews[] }
  | { readonly outcome: "absent" }
  | { readonly outcome: "unknown" };

/** The port to a payment processor. */
export interface PaymentProcessor {
  /** Requests the payment and returns all its status changes, in order. After a rejection, the outcome is unknown. */
  submit(order: PaymentOrder, signal: AbortSignal): Promise<readonly PaymentNews[]>;
  /** Looks up the payment with this reference. A rejection counts as `unknown`. */
  find(reference: string, signal: AbortSignal): Promise<PaymentFinding>;
}
