import { describe, expect, it } from "vitest";
import { channelCost, defaultPrices, parsePrices, speechCost } from "./rules.ts";

describe("channelCost", () => {
  it.each([
    ["SMS", 3, 23_700, 4_740],
    ["EMAIL", 1, 100, 20],
    ["VOICE", 2, 28_000, 5_600],
    ["SMS", 0, 0, 0],
  ] as const)(
    "returns for %s and %i units a base of %i and a markup of %i",
    (channel, units, baseMicros, markupMicros) => {
      const finalMicros = baseMicros + markupMicros;
      expect(channelCost(defaultPrices, channel, units)).toEqual({ baseMicros, markupMicros, finalMicros });
    },
  );

  it("uses the given price list", () => {
    const prices = { ...defaultPrices, smsSegmentMicros: 10_000, markupPercent: 0 };
    expect(channelCost(prices, "SMS", 2)).toEqual({ baseMicros: 20_000, markupMicros: 0, finalMicros: 20_000 });
  });
});

it.each([
  [1, 16, 3],
  [5, 80, 16],
  [3_000, 48_000, 9_600],
])("speech of %i characters costs a base of %i and a markup of %i", (characters, baseMicros, markupMicros) => {
  const finalMicros = baseMicros + markupMicros;
  expect(speechCost(defaultPrices, characters)).toEqual({ baseMicros, markupMicros, finalMicros });
});

describe("parsePrices", () => {
  it.each([
    ["", {}],
    ["sms=8300", { smsSegmentMicros: 8_300 }],
    ["markup=12.5,email=0", { markupPercent: 12.5, emailMicros: 0 }],
    [
      "sms=1,email=2,minute=3,character=4,markup=0",
      { smsSegmentMicros: 1, emailMicros: 2, callMinuteMicros: 3, ttsCharacterMicros: 4, markupPercent: 0 },
    ],
  ])("reads %j", (text, changed) => {
    expect(parsePrices(text)).toEqual({ ...defaultPrices, ...changed });
  });

  it.each([
    "sms",
    "sms=",
    "sms=-1",
    "sms=1.5",
    "sms=1,sms=2",
    "sms=1,",
    "sms=100000001",
    "character=1000001",
    "SMS=1",
    "fax=1",
    "toString=1",
    "markup=1001",
    "markup=1.234",
    " sms=1",
  ])("refuses %j", (text) => {
    expect(parsePrices(text)).toBeUndefined();
  });
});
