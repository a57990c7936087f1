// What more units of a channel cost, and what an amount buys. Whole cents, whole units.

import type { Channel } from "./consent.ts";

/** Tenths of a cent a unit: an SMS segment, a voice minute, an email. */
const unitTenths: Readonly<Record<Channel, bigint>> = { SMS: 10n, VOICE: 30n, EMAIL: 1n };

export interface Upgrade {
  readonly units: number;
  readonly amountCents: number;
}

export interface UpgradeFault {
  readonly field: "units" | "amountCents";
  readonly code: "required" | "out_of_range" | "not_allowed";
  readonly detail: string;
}

/** The most that one upgrade costs, unless the operator says otherwise: 100 000 dollars, in cents. */
export const defaultLargestUpgradeCents = 10_000_000;

/** The most that an operator may allow, in cents: what it buys of the cheapest unit is still counted exactly. */
export const largestUpgradeCeilingCents = 999_999_999_999;

/**
 * Units and amount of an upgrade, one from the other by the price list: an amount rounds up to a whole cent, units
 * round down to whole ones. Both given must agree in either direction. What cannot be sold, or costs more than
 * `mostCents`, is a fault.
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
