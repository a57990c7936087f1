import type { Schemas } from "@msgctl/contract";

/** One merchant's channel in one calendar month. `reserved` and `used` count every unit, those paid by credits too. */
export interface Quota {
  limit: number;
  used: number;
  reserved: number;
  credits: number;
}

/** Units that could be accepted now: what is left of the month's allowance, and the credits. */
export function availableUnits(quota: Quota): number {
  return remainingAllowance(quota) + quota.credits;
}

/**
 * How a reservation of `units` is paid: the month's allowance drains first, `creditUnits` come from the credits.
 * Undefined when both together do not suffice; nothing is ever taken in part.
 */
export function reserveUnits(quota: Quota, units: number): { creditUnits: number } | undefined {
  const creditUnits = Math.max(0, units - remainingAllowance(quota));
  return creditUnits > quota.credits ? undefined : { creditUnits };
}

/**
 * How many credits come back when `units` that no provider took are released. The allowance drains first, whatever the
 * order in which sends fail: a release that frees some of it pays back credits that others took in its place meanwhile.
 * `outstanding` and `creditUnits` are what the month's sends reserve and use, and what the credits paid of it, before
 * the release; `ownCreditUnits` is what they paid of the released units.
 */
export function creditsToReturn(release: {
  limit: number;
  outstanding: number;
  creditUnits: number;
  units: number;
  ownCreditUnits: number;
}): number {
  const beyondAllowance = Math.max(0, release.outstanding - release.limit);
  const owed = Math.max(release.ownCreditUnits, Math.min(release.units, beyondAllowance));
  return Math.min(owed, release.creditUnits);
}

/**
 * How many credits pay for `units` that are used without having been reserved: a call lasted longer than was guessed.
 * The month's allowance drains first; what neither covers is used all the same, beyond the limit.
 */
export function creditsForOveruse(quota: Quota, units: number): number {
  return Math.min(quota.credits, Math.max(0, units - remainingAllowance(quota)));
}

/** A month's limit that has room for `units` more: the first power of ten, 100 or more, beyond what is used and reserved. */
export function suggestLimit({ used, reserved }: Quota, units: number): number {
  let limit = 100;
  while (limit < used + reserved + units) limit = Math.min(limit * 10, Number.MAX_SAFE_INTEGER);
  return limit;
}

/** Whether a quota, lowered since perhaps, still has room for `units` that are reserved of it. */
export function coversReserved(quota: Quota, reserved: { units: number; creditUnits: number }): boolean {
  const without = {
    ...quota,
    reserved: quota.reserved - reserved.units,
    credits: quota.credits + reserved.creditUnits,
  };
  return reserveUnits(without, reserved.units) !== undefined;
}

function remainingAllowance(quota: Quota): number {
  return Math.max(0, quota.limit - quota.used - quota.reserved);
}

export type AlertSeverity = Schemas["AlertSeverity"];

export interface Threshold {
  percent: 50 | 80 | 90 | 100;
  severity: AlertSeverity;
}

const thresholds: readonly Threshold[] = [
  { percent: 50, severity: "INFO" },
  { percent: 80, severity: "WARNING" },
  { percent: 90, severity: "WARNING" },
  { percent: 100, severity: "CRITICAL" },
];

/** The usage thresholds that lie above `usedBefore` and at or below `usedAfter`, lowest first. No limit has none. */
export function crossedThresholds(use: { limit: number; usedBefore: number; usedAfter: number }): Threshold[] {
  if (use.limit <= 0) return [];
  return thresholds.filter(({ percent }) => {
    const units = unitsAt(use.limit, percent);
    return use.usedBefore < units && units <= use.usedAfter;
  });
}

/** The use at which the next usage threshold is reached; undefined if there is none above `used`. */
export function nextThreshold({ limit, used }: { limit: number; used: number }): number | undefined {
  if (limit <= 0) return undefined;
  return thresholds.map(({ percent }) => unitsAt(limit, percent)).find((units) => units > used);
}

/** Rounded up, and split so that no product leaves the exact integers: a limit may be as large as 2^53 - 1. */
function unitsAt(limit: number, percent: number): number {
  return Math.floor(limit / 100) * percent + Math.ceil(((limit % 100) * percent) / 100);
}
