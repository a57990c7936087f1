// Charges or releases the units that a message reserved, in the transaction that records the message's outcome.

import { allEnded, groupAlike, inLockOrder } from "../../store/batching.ts";
import type { Charge, MessageProgress } from "../../store/queue/message-rows.ts";
import type { Transaction } from "../../store/store.ts";
import { localDate } from "../calendar.ts";
import { insertAlert } from "../merchants/alert-rows.ts";
import type { PriceList } from "../policies.ts";
import {
  addToDay,
  findQuota,
  releaseUnpaid,
  releaseUsage,
  reserveUsage,
  returnCredits,
  settleUsage,
  type Total,
  type UsageKey,
} from "./rows.ts";
import { channelCost, creditsForOveruse, creditsToReturn, crossedThresholds, nextThreshold } from "./rules.ts";

/** Units reserved by a message, by a call that has no message yet, or by a batch being accepted. */
export interface HeldUnits extends UsageKey {
  readonly units: number;
  /** The number of these units that the credits paid for. */
  readonly creditUnits: number;
}

/** Releases the units. Those that the credits paid for return to the credits. */
export async function releaseUnits(tx: Transaction, held: HeldUnits): Promise<void> {
  const { units, creditUnits } = held;
  if (units === 0) return;
  if (await releaseUnpaid(tx, held, units)) return;
  tx.requireAlone("the credits paid for units of the period");
  const released = await releaseUsage(tx, held, units);
  const credits = creditsToReturn({ ...released, units, ownCreditUnits: creditUnits });
  if (credits > 0) await returnCredits(tx, held, credits);
}

/** Raises an alert for each threshold that the usage has crossed, at most once a month per threshold. */
export async function raiseUsageAlerts(
  tx: Transaction,
  { tenantId, merchantId, channel, period }: UsageKey,
  use: { limit: number; usedBefore: number; usedAfter: number; now: number },
): Promise<void> {
  const { limit, usedAfter: used, now } = use;
  for (const { percent, severity } of crossedThresholds(use)) {
    await insertAlert(tx, {
      tenantId,
      merchantId,
      channel,
      alertType: "USAGE_THRESHOLD",
      severity,
      message: `${channel} usage has reached ${percent} % of the monthly limit: ${used} of ${limit}.`,
      thresholdPercent: percent,
      occurrence: `${period}:${percent}`,
      now,
    });
  }
}

/** The final charge, as stored with the message. */
export interface Settlement {
  readonly charge: Exclude<Charge, "RESERVED">;
  readonly providerCostMicros: number;
  readonly markupMicros: number;
}

/** Charges the units at current prices to the day of acceptance, and raises the usage alerts that this causes. */
export async function settle(tx: Transaction, message: MessageProgress, moment: ChargeMoment): Promise<Settlement> {
  await settleUnits(tx, [message], moment);
  return chargeOf(message, moment.prices);
}

interface ChargeMoment {
  readonly prices: PriceList;
  readonly now: number;
}

/** The charge of a message, from its channel and units. */
export function chargeOf({ channel, units }: MessageProgress, prices: PriceList): Settlement {
  const { baseMicros, markupMicros } = channelCost(prices, channel, units);
  return { charge: "SETTLED", providerCostMicros: baseMicros, markupMicros };
}

/** Charges the units of many messages like `settle`, but updates each quota and each day's total only once. */
export async function settleUnits(
  tx: Transaction,
  messages: readonly MessageProgress[],
  { prices, now }: ChargeMoment,
): Promise<void> {
  const paid = messages.filter(({ units }) => units > 0);
  const ofQuotas = groupAlike(paid, ({ tenantId, merchantId, channel, period }) => [
    tenantId,
    merchantId,
    channel,
    period,
  ]);
  const inOrder = inLockOrder(ofQuotas, ({ shared }) => shared);
  await allEnded(inOrder.map(({ items }) => settleQuota(tx, items, now)));
  // the costs of calls, with their speech, are added up per batch instead
  const reported = paid.filter(({ channel }) => channel !== "VOICE");
  const ofDays = groupAlike(
    reported,
    ({ tenantId, channel, createdAt, timezone }) => [tenantId, channel, localDate(createdAt, timezone)] as const,
  );
  await allEnded(
    inLockOrder(ofDays, ({ shared }) => shared).map(({ shared: [tenantId, channel, day], items }) =>
      addToDay(tx, { tenantId, channel, day }, totalOf(items, prices)),
    ),
  );
}

/** Settles the units of messages that share one quota. */
async function settleQuota(tx: Transaction, messages: readonly MessageProgress[], now: number): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  const units = messages.reduce((sum, message) => sum + message.units, 0);
  const use = await settleUsage(tx, first, { units, findThreshold: nextThreshold });
  if (crossedThresholds(use).length === 0) return;
  // each alert reports the usage at the message that reached the threshold
  let usedAfter = use.usedBefore;
  for (const message of messages) {
    const usedBefore = usedAfter;
    usedAfter += message.units;
    await raiseUsageAlerts(tx, message, { limit: use.limit, usedBefore, usedAfter, now });
  }
}

function totalOf(messages: readonly MessageProgress[], prices: PriceList): Total {
  const total = { units: 0, providerCostMicros: 0, markupMicros: 0 };
  for (const message of messages) {
    const { providerCostMicros, markupMicros } = chargeOf(message, prices);
    total.units += message.units;
    total.providerCostMicros += providerCostMicros;
    total.markupMicros += markupMicros;
  }
  return total;
}

/**
 * Charges a call for the minutes that it took, not those that it reserved. Unused minutes are released. Extra minutes
 * come from the remaining quota, and exceed the limit if none remains.
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

/** Reverses the charge of a message that, as it turned out, no provider accepted, and releases its units. */
export async function unsettle(
  tx: Transaction,
  message: MessageProgress,
  charged: Pick<Settlement, "providerCostMicros" | "markupMicros">,
): Promise<Settlement> {
  const { tenantId, channel, units, createdAt, timezone } = message;
  if (units > 0) {
    await settleUsage(tx, message, { units: -units, findThreshold: () => undefined });
    const day = localDate(createdAt, timezone);
    // see `settleUnits`
    if (channel !== "VOICE") {
      const taken = { providerCostMicros: -charged.providerCostMicros, markupMicros: -charged.markupMicros };
      await addToDay(tx, { tenantId, channel, day }, { units: -units, ...taken });
    }
  }
  return release(tx, message);
}

/** Releases the units of a message that no provider accepted. */
export async function release(tx: Transaction, message: HeldUnits): Promise<Settlement> {
  await releaseUnits(tx, message);
  return { charge: "RELEASED", providerCostMicros: 0, markupMicros: 0 };
}
