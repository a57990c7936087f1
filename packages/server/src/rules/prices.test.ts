import { describe, expect, it } from "vitest";
import { channelCost, defaultPrices } from "./prices.ts";

describe("channelCost", () => {
  it.each([
    ["SMS", 3, 23_700, 4_740],
    ["EMAIL", 1, 100, 20],
    ["VOICE", 2, 28_000, 5_600],
    ["SMS", 0, 0, 0],
  ] as const)("%s, %i units: base %i, markup %i", (channel, units, baseMicros, markupMicros) => {
    const finalMicros = baseMicros + markupMicros;
    expect(channelCost(defaultPrices, channel, units)).toEqual({ baseMicros, markupMicros, finalMicros });
  });

  it("follows the list it is given", () => {
    const prices = { ...defaultPrices, smsSegmentMicros: 10_000, markupPercent: 0 };
    expect(channelCost(prices, "SMS", 2)).toEqual({ baseMicros: 20_000, markupMicros: 0, finalMicros: 20_000 });
  });
});
