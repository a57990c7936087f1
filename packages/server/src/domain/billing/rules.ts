// Rules of quotas, prices and upgrades.

import type { Schemas } from "@msgctl/contract";
import type { Channel } from "../contacts.ts";
import type { PriceList } from "../policies.ts";

/** How long a customer may take to authenticate a payment. */
export const ACTION_MS = 7 * 24 * 60 * 60_000;

/** The quota of a merchant's channel in one calendar month. `reserved` and `used` include units paid by credits. */
export interface Quota {
  limit: number;
  used: number;
  reserved: number;
  credits: number;
}

/** Units available now: the month's remaining allowance plus the credits. */
export function availableUnits(quota: Quota): number {
  return remainingAllowance(quota) + quota.credits;
}

/**
 * Decides how a reservation of `units` is paid: from the month's allowance first, then `creditUnits` from the credits.
 * Undefined if both together do not cover it: no reservation is partial.
 */
export function reserveUnits(quota: Quota, units: number): { creditUnits: number } | undefined {
  const creditUnits = Math.max(0, units - remainingAllowance(quota));
  return creditUnits > quota.credits ? undefined : { creditUnits };
}

/**
 * Credits to return when `units` are released because no provider accepted the send. In whatever order sends fail,
 * credits may pay only for units beyond the month's allowance. So a release that frees allowance also returns credits
 * that other sends paid. `outstanding` counts the month's reserved and used units before the release. Credits paid for
 * `creditUnits` of these outstanding units, and for `ownCreditUnits` of the released ones.
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
 * Credits that pay for `units` used without a reservation, such as minutes of a call longer than estimated. The month's
 * allowance is used first. Units that neither covers are still counted, beyond the limit.
 */
export function creditsForOveruse(quota: Quota, units: number): number {
  return Math.min(quota.credits, Math.max(0, units - remainingAllowance(quota)));
}

/**
 * Suggests a monthly limit with room for `units` more: the smallest power of ten, at least 100, that covers them and
 * the used and reserved units.
 */
export function suggestLimit({ used, reserved }: Quota, units: number): number {
  let limit = 100;
  while (limit < used + reserved + units) limit = Math.min(limit * 10, Number.MAX_SAFE_INTEGER);
  return limit;
}

/** Returns whether the quota still covers these reserved units: its limit may have been lowered since. */
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

interface Threshold {
  percent: 50 | 80 | 90 | 100;
  severity: Schemas["AlertSeverity"];
}

const thresholds: readonly Threshold[] = [
  { percent: 50, severity: "INFO" },
  { percent: 80, severity: "WARNING" },
  { percent: 90, severity: "WARNING" },
  { percent: 100, severity: "CRITICAL" },
];

/** The thresholds above `usedBefore` and at or below `usedAfter`, lowest first. None if the limit is 0. */
export function crossedThresholds(use: { limit: number; usedBefore: number; usedAfter: number }): Threshold[] {
  if (use.limit <= 0) return [];
  return thresholds.filter(({ percent }) => {
    const units = unitsAt(use.limit, percent);
    return use.usedBefore < units && units <= use.usedAfter;
  });
}

/** The usage at which the next threshold is reached; undefined if no threshold lies above `used`. */
export function nextThreshold({ limit, used }: { limit: number; used: number }): number | undefined {
  if (limit <= 0) return undefined;
  return thresholds.map(({ percent }) => unitsAt(limit, percent)).find((units) => units > used);
}

/** Rounded up. Computed in two parts so that no product exceeds 2^53-1, which is also the largest limit. */
function unitsAt(limit: number, percent: number): number {
  return Math.floor(limit / 100) * percent + Math.ceil(((limit % 100) * percent) / 100);
}

/** Amounts in micro-USD (millionths of a dollar). They are integers until `microsToAmount` formats them. */
interface LineCost {
  baseMicros: number;
  markupMicros: number;
  /** Exactly the sum of `baseMicros` and `markupMicros`. */
  finalMicros: number;
}

/**
 * The cost of one line: the base, its markup rounded half up to a micro-dollar, and their sum. `markupPercent` is
 * rounded to two decimals. Throws a RangeError if an amount is not a safe integer of 0 or more.
 */
export function lineCost(line: { units: number; unitCostMicros: number; markupPercent: number }): LineCost {
  const baseMicros = exact(line.units * line.unitCostMicros, "base cost");
  const markupHundredths = exact(Math.round(line.markupPercent * 100), "markup");
  const markupMicros = exact(percentHalfUp(baseMicros, markupHundredths), "markup cost");
  return { baseMicros, markupMicros, finalMicros: exact(baseMicros + markupMicros, "final cost") };
}

/** The amount in dollars for replies: at most six decimals, exact up to eight billion dollars. */
export function microsToAmount(micros: number): number {
  return micros / 1_000_000;
}

/** Computed in two parts so that no intermediate product exceeds 2^53-1 unless the result does. */
function percentHalfUp(micros: number, hundredths: number): number {
  const whole = Math.floor(micros / 10_000);
  return whole * hundredths + Math.floor(((micros % 10_000) * hundredths + 5_000) / 10_000);
}

function exact(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(
    `The ${name} is ${value}: it must be a whole number of units from 0 to ${Number.MAX_SAFE_INTEGER}.`,
  );
}

export const defaultPrices: PriceList = {
  smsSegmentMicros: 7_900,
  emailMicros: 100,
  callMinuteMicros: 14_000,
  ttsCharacterMicros: 16,
  markupPercent: 20,
};

/**
 * Names of prices in a written list, with the maximum of each: higher prices could not be added exactly. The maximum
 * per character is a dollar, because a batch may have 10 000 texts of 3 000 characters.
 */
const priceNames: Readonly<Record<string, readonly [member: keyof PriceList, most: number]>> = {
  sms: ["smsSegmentMicros", 100_000_000],
  email: ["emailMicros", 100_000_000],
  minute: ["callMinuteMicros", 100_000_000],
  character: ["ttsCharacterMicros", 1_000_000],
  markup: ["markupPercent", 1_000],
};

/**
 * Parses a list such as `sms=8300,markup=12.5`: prices in micro-USD, the markup in percent with up to two decimals.
 * Omitted prices keep their defaults. Undefined for an invalid text.
 */
export function parsePrices(text: string): PriceList | undefined {
  const prices = { ...defaultPrices };
  const seen = new Set<string>();
  for (const entry of text === "" ? [] : text.split(",")) {
    const [, name = "", value = ""] = /^([a-z]+)=(\d{1,9}(?:\.\d{1,2})?)$/.exec(entry) ?? [];
    const [member, most] = (Object.hasOwn(priceNames, name) ? priceNames[name] : undefined) ?? [undefined, 0];
    if (member === undefined || seen.has(name) || Number(value) > most) return undefined;
    if (member !== "markupPercent" && value.includes(".")) return undefined;
    seen.add(name);
    prices[member] = Number(value);
  }
  return prices;
}

/** Writes prices as a list for `parsePrices`. */
export function formatPrices(prices: PriceList): string {
  return Object.entries(priceNames)
    .map(([name, [member]]) => `${name}=${prices[member]}`)
    .join(",");
}

const unitPrices = {
  SMS: "smsSegmentMicros",
  EMAIL: "emailMicros",
  VOICE: "callMinuteMicros",
} as const satisfies Record<string, keyof PriceList>;

/** The price of `units` of a channel (segments, emails, minutes). */
export function channelCost(prices: PriceList, channel: keyof typeof unitPrices, units: number): LineCost {
  return lineCost({ units, unitCostMicros: prices[unitPrices[channel]], markupPercent: prices.markupPercent });
}

/** The price of speech, by its number of characters. */
export function speechCost(prices: PriceList, characters: number): LineCost {
  const { ttsCharacterMicros: unitCostMicros, markupPercent } = prices;
  return lineCost({ units: characters, unitCostMicros, markupPercent });
}

/** Upgrade prices in tenths of a cent per unit: an SMS segment, a voice minute, an email. */
const unitTenths: Readonly<Record<Channel, bigint>> = { SMS: 10n, VOICE: 30n, EMAIL: 1n };

interface Upgrade {
  readonly units: number;
  readonly amountCents: number;
}

interface UpgradeFault {
  readonly field: "units" | "amountCents";
  readonly code: "required" | "out_of_range" | "not_allowed";
  readonly detail: string;
}

/** Default of the operator's limit on the price of one upgrade: 100 000 dollars, in cents. */
export const defaultLargestUpgradeCents = 10_000_000;

/** Largest limit that an operator may set, in cents. It still buys fewer than 2^53 units of the cheapest channel. */
export const largestUpgradeCeilingCents = 999_999_999_999;

/**
 * Computes the amount of an upgrade from its units, or its units from its amount. Amounts are rounded up to whole cents,
 * units down to whole units. If both are given, one must follow from the other. Returns a fault if the upgrade cannot be
 * sold or costs more than `mostCents`.
 */
export function priceUpgrade(
  channel: Channel,
  asked: { readonly units?: number | undefined; readonly amountCents?: number | undefined },
  mostCents: number,
): { readonly upgrade: Upgrade } | { readonly fault: UpgradeFault } {
  const { units, amountCents } = asked;
  if (units === undefined && amountCents === undefined) {
    return refuse("units", "required", "Expected units, amountCents or both; received neither.");
  }
  if (amountCents !== undefined && amountCents > mostCents) {
    const detail = `Expected ${mostCents} cents or less, the most that one upgrade may cost; received ${amountCents}.`;
    return refuse("amountCents", "out_of_range", detail);
  }
  if (units !== undefined && amountCents !== undefined) {
    const price = priceOf(channel, units);
    if (price === BigInt(amountCents) || unitsFor(channel, amountCents) === BigInt(units)) {
      return { upgrade: { units, amountCents } };
    }
    const detail = `Expected ${price} for ${units} ${channel} units; received ${amountCents}. Leave one of the two out.`;
    return refuse("amountCents", "not_allowed", detail);
  }
  if (units !== undefined) {
    const price = priceOf(channel, units);
    if (price <= BigInt(mostCents)) return { upgrade: { units, amountCents: Number(price) } };
    const detail = `Expected units for ${mostCents} cents or less, the most that one upgrade may cost; ${units} cost ${price}.`;
    return refuse("units", "out_of_range", detail);
  }
  const cents = amountCents as number;
  const bought = unitsFor(channel, cents);
  if (bought === 0n) {
    const detail = `Expected ${priceOf(channel, 1)} or more, the price of one ${channel} unit; received ${cents}.`;
    return refuse("amountCents", "out_of_range", detail);
  }
  return { upgrade: { units: Number(bought), amountCents: cents } };
}

function priceOf(channel: Channel, units: number): bigint {
  return (BigInt(units) * unitTenths[channel] + 9n) / 10n;
}

function unitsFor(channel: Channel, amountCents: number): bigint {
  return (BigInt(amountCents) * 10n) / unitTenths[channel];
}

function refuse(field: UpgradeFault["field"], code: UpgradeFault["code"], detail: string): { fault: UpgradeFault } {
  return { fault: { field, code, detail } };
}
