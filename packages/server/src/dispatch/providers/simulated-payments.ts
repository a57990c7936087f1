// A payment processor that charges nobody: the payment method decides the outcome. It keeps its records in the
// simulated provider's ledger, and like a real one charges no reference twice.

import type { Clock } from "../../platform/clock.ts";
import type { PaymentNews, PaymentProcessor } from "../payments.ts";
import type { LedgerPayment, SimulatedLedger } from "./simulated-ledger.ts";

export interface SimulatedPayments extends PaymentProcessor {
  /** How often it was asked to charge the payment: once, unless the server is broken. */
  countCharges(reference: string): Promise<number>;
}

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

/** The default method, and any that is not in the table, succeeds. */
function newsOf(paymentMethod: string | null): readonly PaymentNews[] {
  return paymentMethod !== null && Object.hasOwn(outcomes, paymentMethod)
    ? (outcomes[paymentMethod] ?? succeeds)
    : succeeds;
}

export function createSimulatedPayments(ledger: SimulatedLedger, clock: Clock): SimulatedPayments {
  /** News of a payment still to come, and past news, which is due at once. */
  function leftOf({ paymentMethod, submittedAt }: LedgerPayment): PaymentNews[] {
    const passedMs = clock.now() - submittedAt;
    return newsOf(paymentMethod).map((news) => ({ ...news, afterMs: Math.max(0, news.afterMs - passedMs) }));
  }

  return {
    async submit({ reference, paymentMethod }) {
      return leftOf(await ledger.charge(reference, { paymentMethod, submittedAt: clock.now() }));
    },
    async find(reference) {
      const known = await ledger.findPayment(reference);
      return known === undefined ? { outcome: "absent" } : { outcome: "taken", news: leftOf(known) };
    },
    async countCharges(reference) {
      return (await ledger.findPayment(reference))?.charges ?? 0;
    },
  };
}
