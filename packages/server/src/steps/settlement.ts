// What happens to the units that a message reserved, in the transaction that records its outcome.

import { localDate } from "../rules/calendar.ts";
import { channelCost, type PriceList } from "../rules/prices.ts";
import { creditsForOveruse, nextThreshold } from "../rules/quota.ts";
import { addToDay } from "../store/daily-totals.ts";
import type { Charge, MessageProgress } from "../store/message-progress.ts";
import type { Transaction } from "../store/store.ts";
import { findQuota, reserveUsage, settleUsage } from "../store/usage.ts";
import { type HeldUnits, releaseUnits } from "./held-units.ts";
import { raiseUsageAlerts } from "./usage-alerts.ts";

/** How a charge ended, as kept with the message. */
export interface Settlement {
  readonly charge: Exclude<Charge, "RESERVED">;
  readonly providerCostMicros: number;
  readonly markupMicros: number;
}

/** Charges the units, at today's prices, to the day of acceptance, and raises the usage alerts that they cause. */
export async function settle(
  tx: Transaction,
  message: MessageProgress,
  { prices, now }: { prices: PriceList; now: number },
): Promise<Settlement> {
  if (message.units > 0) {
    const use = await settleUsage(tx, message, { units: message.units, findThreshold: nextThreshold });
    await raiseUsageAlerts(tx, message, { ...use, now });
  }
  const { baseMicros, markupMicros } = channelCost(prices, message.channel, message.units);
  const settlement = { charge: "SETTLED", providerCostMicros: baseMicros, markupMicros } as const;
  // calls are reported with their speech
  if (message.units > 0 && message.channel !== "VOICE") {
    const { tenantId, channel, units } = message;
    const day = localDate(message.createdAt, message.timezone);
    await addToDay(tx, { tenantId, channel, day }, { units, providerCostMicros: baseMicros, markupMicros });
  }
  return settlement;
}

/**
 * Charges a call the minutes that it took instead of those that it reserved: an excess is released, a shortfall comes
 * from what is left, and exceeds the limit if nothing is.
 */
export async function settleMinutes(
  tx: Transaction,
  message: MessageProgress,
  minutes: number,
  moment: { prices: PriceList; now: number },
): Promise<Settlement> {
  const { units, creditUnits } = message;
  if (minutes < units) {
    const unused = units - minutes;
    await release(tx, { ...message, units: unused, creditUnits: Math.min(creditUnits, unused) });
  } else if (minutes > units) {
    const more = minutes - units;
    const quota = await findQuota(tx, message);
    await reserveUsage(tx, message, { units: more, creditUnits: creditsForOveruse(quota, more) });
  }
  const settlement = await settle(tx, { ...message, units: minutes }, moment);
  return minutes === 0 ? { ...settlement, charge: "RELEASED" } : settlement;
}

/** Releases the units: no provider took the message. */
export async function release(tx: Transaction, message: HeldUnits): Promise<Settlement> {
  await releaseUnits(tx, message);
  return { charge: "RELEASED", providerCostMicros: 0, markupMicros: 0 };
}
