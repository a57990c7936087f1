// The port between the server and its payment processors.

import type { EventsReceiver } from "../domain/carrier-events.ts";
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
  readonly tenantId: number;
  readonly paymentMethod: string | null;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: PaymentStatus;
  /** The request that `prepare` returned for the payment; null if the processor does not prepare payments. */
  readonly request: string | null;
  /** The processor's id of the payment, if it is known. */
  readonly processorPaymentId: string | null;
  /** Whether the payment has waited too long for its customer, so that the processor must cancel it. */
  readonly isOverdue: boolean;
}

/** The state of a payment at its processor. */
export interface PaymentReport {
  readonly processorPaymentId: string;
  readonly status: Exclude<PaymentStatus, "PENDING">;
  /** Why the payment failed or was canceled, for the operator; otherwise null. */
  readonly reason: string | null;
  /** Where the customer can authenticate the payment; null if the processor has no such page. */
  readonly actionUrl: string | null;
  readonly refundedCents: number;
  readonly isDisputed: boolean;
  /** How the processor's payment differs from the order. Such a payment is never fulfilled. */
  readonly mismatch?: string;
}

/**
 * `taken` has all status changes to come, and `reported` the current state. `absent` proves that the processor has not
 * accepted the payment and never will. `refused` proves the same; the payment fails. `unknown` proves nothing.
 */
export type PaymentFinding =
  | { readonly outcome: "taken"; readonly news: readonly PaymentNews[] }
  | { readonly outcome: "reported"; readonly report: PaymentReport }
  | { readonly outcome: "refused"; readonly reason: string }
  | { readonly outcome: "absent" }
  | { readonly outcome: "unknown"; readonly detail?: string };

/** The request of a payment, or why the payment must fail. */
export type PreparedPayment = { readonly request: string } | { readonly refusal: string };

/** The port to a payment processor. */
export interface PaymentProcessor {
  /**
   * Finds out what to request, and charges nothing. The request is stored before it is submitted, so that it can be repeated
   * unchanged. Omitted if the order says everything.
   */
  prepare?(order: PaymentOrder, signal: AbortSignal): Promise<PreparedPayment>;
  /**
   * Time from the first request during which `submit` may be repeated, because the processor recognises the reference.
   * Omitted if only `find` can tell what became of a request.
   */
  readonly repeatableMs?: number;
  /** Requests the payment. After a rejection, the outcome is unknown. */
  submit(order: PaymentOrder, signal: AbortSignal): Promise<PaymentFinding>;
  /** Looks up the payment with this reference. A rejection counts as `unknown`. */
  find(order: PaymentOrder, signal: AbortSignal): Promise<PaymentFinding>;
}

/** An event about a payment. It says only which payment to ask about. */
export interface PaymentEvent {
  readonly eventId: string;
  readonly processorPaymentId: string;
  /** The reference of the payment, if the event has it. */
  readonly reference: string | undefined;
}

/** A processor that an operator has set for tenants. */
export interface InstalledProcessor extends PaymentProcessor {
  /** Such as `stripe-4f9c2a1b`. A processor gets a new name each time it is set; names are never reused. */
  readonly name: string;
  /** A tenant, or `EVERY_TENANT`. */
  readonly tenantId: number;
  /** Payments accepted earlier are never charged, in epoch milliseconds. */
  readonly servesFrom: number;
  readonly receive?: EventsReceiver["receive"];
}
