// Shows the payments of a merchant, and who handles those of the tenant: a processor, the simulator or the operator.

import type { Views } from "@msgctl/dashboard/api";
import { findProcessorOf } from "../domain/billing/processor-rows.ts";
import type { PaymentRow } from "../domain/billing/rows.ts";
import { ACTION_MS } from "../domain/billing/rules.ts";
import { viewTime } from "../domain/calendar.ts";
import { findMerchant } from "../domain/merchants/rows.ts";
import { countHeldOf, countWaitingPayments, MOST_COUNTED } from "../domain/reports/backlog-rows.ts";
import { listMerchantPayments } from "../domain/reports/payment-rows.ts";
import { merchantNotFound, requireMerchant } from "../domain/tenancy/access.ts";
import { EVERY_TENANT, findTenant } from "../domain/tenancy/rows.ts";
import { canMoveOn } from "../domain/transitions.ts";
import { mayAs } from "../domain/users/rules.ts";
import type { Transaction } from "../store/store.ts";
import { toCount } from "./backlog-views.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const PAGE = 10;

export function paymentHandlers({
  isDevelopment,
}: {
  readonly isDevelopment: boolean;
}): DashboardHandlers<"listPayments"> {
  return {
    listPayments: {
      async read({ tx, caller }, { path: { merchantId } }) {
        const { tenantId, role } = caller;
        requireMerchant(caller, merchantId);
        if ((await findMerchant(tx, tenantId, merchantId)) === undefined) throw merchantNotFound(merchantId);
        const { handling } = await readPaymentHandling(tx, { tenantId, isDevelopment });
        const found = await listMerchantPayments(tx, { tenantId, merchantId, limit: PAGE + 1 });
        const of = { handling, isAdmin: mayAs(role, "admin") };
        return {
          handling,
          payments: found.slice(0, PAGE).map((row) => viewPayment(row, of)),
          hasMore: found.length > PAGE,
        };
      },
    },
  };
}

/** Reads who handles the tenant's payments: its processor, the simulator, or the operator. */
export async function readPaymentHandling(
  tx: Transaction,
  { tenantId, isDevelopment }: { readonly tenantId: number; readonly isDevelopment: boolean },
): Promise<Views["PaymentHandling"]> {
  const isLive = (await findTenant(tx, tenantId))?.mode === "live";
  const row = isLive ? await findProcessorOf(tx, tenantId) : undefined;
  if (row === undefined && (!isLive || isDevelopment)) {
    return { handling: "SIMULATED", processor: null, waiting: toCount(0), waitingSince: null };
  }
  const { count, since } = await countWaitingPayments(tx, { tenantId, most: MOST_COUNTED });
  const backlog = { waiting: toCount(count), waitingSince: viewTime(since) };
  if (row === undefined) return { handling: "OPERATOR", processor: null, ...backlog };
  const { name, kind, setAt, answeredAt, downSince, downWords } = row;
  const processor = {
    ...{ name, kind, isCommon: row.tenantId === EVERY_TENANT, setAt: viewTime(setAt) },
    ...{ answeredAt: viewTime(answeredAt), downSince: viewTime(downSince), downWords },
    held: toCount(await countHeldOf(tx, tenantId, MOST_COUNTED)),
  };
  return { handling: "PROCESSOR", processor, ...backlog };
}

/** Only admins buy, so only they see the customer's link and the processor's reason. */
function viewPayment(
  payment: PaymentRow,
  { handling, isAdmin }: { handling: Views["PaymentHandling"]["handling"]; isAdmin: boolean },
): Views["PaymentView"] {
  const { paymentId, channel, units, amountCents, currency, status, refundedCents, updatedAt } = payment;
  const isOpen = canMoveOn("payment", status);
  const isAction = status === "REQUIRES_ACTION";
  return {
    ...{ paymentId, channel, units, amountCents, currency, status, refundedCents },
    isInDoubt: payment.undecided !== null,
    waitsForOperator: isOpen && payment.hasBegun === 0 && handling !== "SIMULATED",
    actionUrl: isAction && isAdmin ? payment.actionUrl : null,
    actionUntil: isAction && payment.processor !== null ? viewTime(updatedAt + ACTION_MS) : null,
    failureReason: isAdmin ? payment.failureReason : null,
    isDisputed: payment.isDisputed === 1,
    createdAt: viewTime(payment.createdAt),
    updatedAt: viewTime(updatedAt),
  };
}
