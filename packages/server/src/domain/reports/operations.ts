// The usage report: messages in a range of days, and their cost.

import { hasOpenItems, sumDays, type Total } from "../billing/rows.ts";
import { microsToAmount } from "../billing/rules.ts";
import { localDate, nextDate, startOfDay } from "../calendar.ts";
import type { OperationContext } from "../context.ts";
import type { Handlers } from "../handler.ts";
import { judgeFreshness } from "../messages/freshness.ts";
import { lowestMessageId, PATIENCE_MS } from "../messages/rules.ts";
import { Refusal, refuseFaults } from "../refusal.ts";
import { tenantOnly } from "../tenancy/access.ts";

/** Ids may be ahead of the clock by at most this much, if the clock was set back. */
const ID_SLACK_MS = 60 * 60 * 1_000;
/** Earliest day: no message is older, and ids cannot encode an earlier time. */
const FIRST_DAY = "1970-01-01";

const none: Total = { units: 0, providerCostMicros: 0, markupMicros: 0 };

export const reportHandlers: Handlers<"getUsageReport"> = {
  getUsageReport: {
    authorize: tenantOnly,
    async read(context, { query }) {
      const { tx, caller, now } = context;
      const today = localDate(now, caller.timezone);
      const to = query.to ?? today;
      const from = query.from ?? `${to.slice(0, 7)}-01`;
      if (from > to) throw rangeBackwards(from, to);
      const totals = await sumDays(tx, caller.tenantId, { from, to });
      const sms = totals.find(({ channel }) => channel === "SMS") ?? none;
      const email = totals.find(({ channel }) => channel === "EMAIL") ?? none;
      const costMicros = sms.providerCostMicros + email.providerCostMicros;
      const markupMicros = sms.markupMicros + email.markupMicros;
      if (!Number.isSafeInteger(costMicros + markupMicros)) throw rangeTooDear(from, to);
      const freshness = judgeFreshness({
        to,
        today,
        hasOpenItems: to < today && to >= FIRST_DAY && (await isOpen(context, from, to)),
        hasUsage: sms.units + email.units > 0,
      });
      return {
        from,
        to,
        totalSmsCount: sms.units,
        totalEmailCount: email.units,
        providerCost: microsToAmount(costMicros),
        hqMarkup: microsToAmount(markupMicros),
        finalCharges: microsToAmount(costMicros + markupMicros),
        freshnessState: freshness.state,
        freshnessReason: freshness.reason,
      };
    },
  },
};

function rangeBackwards(from: string, to: string): Refusal {
  const code = "invalid_date_range";
  const detail = `from (${from}) is after to (${to}).`;
  return new Refusal(code, detail, { errors: [{ pointer: "/query/from", code, detail }] });
}

/** Above 2^53 micro-dollars (nine billion dollars), sums would be rounded and no longer equal the sum of their parts. */
function rangeTooDear(from: string, to: string): Refusal {
  const detail = `Expected a shorter range; the costs from ${from} to ${to} exceed 2^53 micro-dollars.`;
  return refuseFaults([{ pointer: "/query/from", code: "out_of_range", detail }]);
}

function isOpen({ tx, caller, now }: OperationContext, from: string, to: string): Promise<boolean> {
  const fromMs = startOfDay(from < FIRST_DAY ? FIRST_DAY : from, caller.timezone);
  const toMs = startOfDay(nextDate(to), caller.timezone);
  return hasOpenItems(tx, {
    tenantId: caller.tenantId,
    fromMs,
    toMs,
    fromId: lowestMessageId(fromMs),
    toId: lowestMessageId(toMs + ID_SLACK_MS),
    freshAfterMs: now - PATIENCE_MS,
  });
}
