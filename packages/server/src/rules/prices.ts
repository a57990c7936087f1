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

/**
 * A price's name in a written list, and the most it can be: what costs more would not be counted exactly. A batch is
 * 10 000 texts of 3 000 characters, so that these cost a dollar at most.
 */
const priceNames: Readonly<Record<string, readonly [member: keyof PriceList, most: number]>> = {
  sms: ["smsSegmentMicros", 100_000_000],
  email: ["emailMicros", 100_000_000],
  minute: ["callMinuteMicros", 100_000_000],
  character: ["ttsCharacterMicros", 1_000_000],
  markup: ["markupPercent", 1_000],
};

/**
 * Reads a list such as `sms=8300,markup=12.5`: micro-USD, and percent to two decimals. What is left out costs as by
 * default. Undefined where the text is no such list.
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

/** The list that `parsePrices` reads as these prices. */
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
