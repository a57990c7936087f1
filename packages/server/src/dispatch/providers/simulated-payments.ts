// A payment processor that charges nobody: the payment method says how it ends.

import type { PaymentNews, PaymentProcessor } from "../payments.ts";

const SETTLES_MS = 2_000;
const SLOW_MS = 60 * 60 * 1_000;

const succeeds: readonly PaymentNews[] = [{ afterMs: SETTLES_MS, status: "SUCCEEDED", reason: null }];

function fails(reason: string): readonly PaymentNews[] {
  return [{ afterMs: SETTLES_MS, status: "FAILED", reason }];
}

const declined = fails("card_declined");
const needsAction: readonly PaymentNews[] = [{ afterMs: SETTLES_MS, status: "REQUIRES_ACTION", reason: null }];

const outcomes: Readonly<Record<string, readonly PaymentNews[]>> = {
  "4242": succeeds,
  pm_card_visa: succeeds,
  "2": declined,
  pm_card_chargeDeclined: declined,
  "9995": fails("insufficient_funds"),
  "3184": needsAction,
  pm_card_authenticationRequired: needsAction,
  "7700": [
    { afterMs: SETTLES_MS, status: "PROCESSING", reason: null },
    { afterMs: SLOW_MS, status: "SUCCEEDED", reason: null },
  ],
};

/** The default method, and any that is not in the table, succeed. */
export const simulatedPayments: PaymentProcessor = {
  submit({ paymentMethod }) {
    return paymentMethod !== null && Object.hasOwn(outcomes, paymentMethod)
      ? (outcomes[paymentMethod] ?? succeeds)
      : succeeds;
  },
};
