import { type LineCost, lineCost } from "./money.ts";

/** What a unit of each kind costs the operator, in micro-USD, and what is added to it for the merchant. */
export interface PriceList {
  smsSegmentMicros: number;
  emailMicros: number;
  callMinuteMicros: number;
  ttsCharacterMicros: number;
  markupPercent: number;
}

export const defaultPrices: PriceList = {
  smsSegmentMicros: 7_900,
  emailMicros: 100,
  callMinuteMicros: 14_000,
  ttsCharacterMicros: 16,
  markupPercent: 20,
};

const unitPrices = {
  SMS: "smsSegmentMicros",
  EMAIL: "emailMicros",
  VOICE: "callMinuteMicros",
} as const satisfies Record<string, keyof PriceList>;

/** What `units` of a channel (segments, emails, minutes) cost by the price list. */
export function channelCost(prices: PriceList, channel: keyof typeof unitPrices, units: number): LineCost {
  return lineCost({ units, unitCostMicros: prices[unitPrices[channel]], markupPercent: prices.markupPercent });
}

/** What speech of so many characters costs by the price list. */
export function speechCost(prices: PriceList, characters: number): LineCost {
  return lineCost({
    units: characters,
    unitCostMicros: prices.ttsCharacterMicros,
    markupPercent: prices.markupPercent,
  });
}
