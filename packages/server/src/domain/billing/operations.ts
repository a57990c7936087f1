// Requests to buy units for a merchant's channel. A payment processor or the operator settles each payment later.

import { NOT_ENDED } from "../../store/idempotency.ts";
import { scheduleJob } from "../../store/jobs.ts";
import type { OperationContext } from "../context.ts";
import type { Handlers, OperationInput, OperationResult } from "../handler.ts";
import { findMerchant } from "../merchants/rows.ts";
import { type FieldFault, refuseFaults } from "../refusal.ts";
import { merchantInactive, merchantNotFound, tenantOnly } from "../tenancy/access.ts";
import { submitPaymentJob, toPaymentReference } from "./payments.ts";
import { findCredits, findPayment, insertPayment, type PaymentRow, type RequestedPayment } from "./rows.ts";
import { priceUpgrade } from "./rules.ts";

type UpgradeRequest = OperationInput<"requestUpgrade">["body"];

export const billingHandlers: Handlers<"requestUpgrade"> = {
  requestUpgrade: {
    // a merchant's credential must not spend the tenant's money
    authorize: tenantOnly,
    schedules: true,
    findFaults: ({ body }, { largestUpgradeCents }) => findPriceFaults(Object(body), largestUpgradeCents),
    async write(context, { body }) {
      const { tx, caller, now, settings } = context;
      const { merchantId, channel } = body;
      const merchant = await findMerchant(tx, caller.tenantId, merchantId);
      if (merchant === undefined) throw merchantNotFound(merchantId);
      if (merchant.active === 0) throw await merchantInactive(context, merchantId, "buys nothing");
      const { units, amountCents } = requirePrice(body, settings.largestUpgradeCents);
      const account = { tenantId: caller.tenantId, merchantId, channel };
      const credits = await findCredits(tx, account);
      if (!Number.isSafeInteger(credits + units)) {
        const detail = `Expected fewer units: with the existing ${credits} credits, the total would exceed 2^53-1.`;
        throw refuseFaults([{ pointer: "/units", code: "out_of_range", detail }]);
      }
      const payment = {
        ...account,
        paymentId: settings.newId("pay", now),
        units,
        amountCents,
        currency: body.currency ?? "USD",
        paymentMethod: body.paymentMethodId === undefined ? null : String(body.paymentMethodId),
      };
      const { note = null, referenceId = null } = body;
      await insertPayment(tx, { ...payment, note, referenceId, now });
      await scheduleJob(tx, { tenantId: caller.tenantId, ...submitPaymentJob(payment.paymentId, now) });
      return {
        result: viewUpgrade({ ...payment, status: "PENDING" }, credits),
        reference: toPaymentReference(payment.paymentId),
        // the tenant repeats the request to learn the outcome, so the key must not expire before the payment ends
        executedAt: NOT_ENDED,
      };
    },
    async replay(context, reference) {
      return readUpgrade(context, String(reference.paymentId));
    },
  },
};

async function readUpgrade({ tx }: OperationContext, paymentId: string): Promise<OperationResult<"requestUpgrade">> {
  const payment = await findPayment(tx, paymentId);
  if (payment === undefined) throw new Error("a requested payment is gone");
  return viewUpgrade(payment, await findCredits(tx, payment));
}

function requirePrice({ channel, units, amountCents }: UpgradeRequest, mostCents: number) {
  const priced = priceUpgrade(channel, { units, amountCents }, mostCents);
  if ("fault" in priced) throw new Error("an upgrade without a price passed validation");
  return priced.upgrade;
}

/** Finds price faults in an unvalidated body. Ignores values of the wrong type: the schema check reports them. */
function findPriceFaults({ channel, units, amountCents }: Record<string, unknown>, mostCents: number): FieldFault[] {
  if (channel !== "SMS" && channel !== "VOICE" && channel !== "EMAIL") return [];
  if (!isCount(units) || !isCount(amountCents)) return [];
  const priced = priceUpgrade(channel, { units, amountCents }, mostCents);
  if (!("fault" in priced)) return [];
  const { field, code, detail } = priced.fault;
  return [{ pointer: `/${field}`, code, detail }];
}

function isCount(value: unknown): value is number | undefined {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) > 0);
}

function viewUpgrade(
  payment: RequestedPayment & Pick<PaymentRow, "status">,
  remainingCredits: number,
): OperationResult<"requestUpgrade"> {
  return {
    merchantId: payment.merchantId,
    channel: payment.channel,
    unitsRequested: payment.units,
    amountCents: payment.amountCents,
    currency: payment.currency,
    paymentId: payment.paymentId,
    paymentStatus: payment.status,
    fulfilled: payment.status === "SUCCEEDED",
    remainingCredits,
  };
}
