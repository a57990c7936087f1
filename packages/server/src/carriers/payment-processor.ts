// The port between the server and its payment processors.

import type { PaymentStatus } from "../domain/transitions.ts";

/** News of a payment, which its processor reports `afterMs` after it is asked. */
export interface PaymentNews {
  readonly afterMs: number;
  readonly status: Exclude<PaymentStatus, "PENDING">;
  /** The reason of a failure, for the operator; null without one. */
  readonly reason: string | null;
}

/** A payment as its processor knows it. */
export interface PaymentOrder {
  /** The payment's id, by which the processor is asked when an answer was lost. It charges no reference twice. */
  readonly reference: string;
  readonly paymentMethod: string | null;
  readonly amountCents: number;
}

/** `absent` proves that no payment with the reference was or will be taken; `unknown` proves nothing. */
export type PaymentFinding =
  | { readonly outcome: "taken"; readonly news: readonly PaymentNews[] }
  | { readonly outcome: "absent" }
  | { readonly outcome: "unknown" };

/** The port to a payment processor. */
export interface PaymentProcessor {
  /** Takes the payment and returns all its news, in order. A rejection leaves the outcome unknown. */
  submit(order: PaymentOrder, signal: AbortSignal): Promise<readonly PaymentNews[]>;
  /** Looks up the payment with this reference. A rejection counts as `unknown`. */
  find(reference: string, signal: AbortSignal): Promise<PaymentFinding>;
}
