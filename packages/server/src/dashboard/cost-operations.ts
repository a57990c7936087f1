// Sums up the costs of the month so far, calls included, for a tenant or one of its merchants.

import { sumDays } from "../domain/billing/rows.ts";
import { channelCost } from "../domain/billing/rules.ts";
import { localDate, periodStart, startOfDay } from "../domain/calendar.ts";
import { sumBatchCosts } from "../domain/calls/batch-rows.ts";
import type { OperationContext } from "../domain/context.ts";
import { type MerchantWithQuotasRow, merchantsQuery } from "../domain/merchants/rows.ts";
import { requireMerchant } from "../domain/tenancy/access.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

/** Maximum number of batches whose costs are added up. */
const MOST_BATCHES = 10_000;

export const costHandlers: DashboardHandlers<"getMonthCosts"> = {
  getMonthCosts: {
    async read(context, { query }) {
      const { tx, caller, now } = context;
      const { tenantId, timezone } = caller;
      if (query.merchantId !== undefined) requireMerchant(caller, query.merchantId);
      const merchantId = query.merchantId ?? caller.merchantId;
      const from = periodStart(now, timezone);
      const to = localDate(now, timezone);
      const { sms, email } =
        merchantId === null ? await sumTenant(context, from, to) : await sumMerchant(context, merchantId, from);
      const asked = { tenantId, merchantId, from: startOfDay(from, timezone), most: MOST_BATCHES };
      const { calls, micros, finalizedMicros, batches } = await sumBatchCosts(tx, asked);
      return {
        ...{ from, to, smsSegments: sms.units, smsMicros: sms.micros, emails: email.units, emailMicros: email.micros },
        ...{ calls, callMicros: micros, callEstimateMicros: micros - finalizedMicros },
        hasMoreCalls: batches === MOST_BATCHES,
      };
    },
  },
};

/** Sums up a tenant's costs, like the usage report. */
async function sumTenant({ tx, caller }: OperationContext, from: string, to: string) {
  const totals = await sumDays(tx, caller.tenantId, { from, to });
  const of = (wanted: "SMS" | "EMAIL") => {
    const total = totals.find(({ channel }) => channel === wanted);
    return { units: total?.units ?? 0, micros: (total?.providerCostMicros ?? 0) + (total?.markupMicros ?? 0) };
  };
  return { sms: of("SMS"), email: of("EMAIL") };
}

/** Estimates a merchant's costs at today's prices, because daily totals of charged costs exist only per tenant. */
async function sumMerchant({ tx, caller, settings }: OperationContext, merchantId: string, period: string) {
  const { sql, values } = merchantsQuery(caller.tenantId, period, merchantId);
  const row = await tx.get<MerchantWithQuotasRow>(sql, ...values, 1);
  const of = (channel: "SMS" | "EMAIL", units: number) => ({
    units,
    micros: channelCost(settings.prices, channel, units).finalMicros,
  });
  return { sms: of("SMS", row?.smsUsed ?? 0), email: of("EMAIL", row?.emailUsed ?? 0) };
}
