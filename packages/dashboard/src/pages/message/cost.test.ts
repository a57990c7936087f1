import { expect, it } from "vitest";
import { describeCost, unitsOf } from "./cost.ts";

it.each([
  [{ units: 1, creditUnits: 0, channel: "SMS" as const }, "1 segment"],
  [{ units: 3, creditUnits: 2, channel: "SMS" as const }, "3 segments, 2 of them paid by credits"],
  [{ units: 2, creditUnits: 0, channel: "VOICE" as const }, "2 minutes"],
])("unitsOf() describes %j as: %s", (message, words) => {
  expect(unitsOf(message)).toBe(words);
});

it.each([
  [null, null, "not known yet"],
  [7_900, 0, "$0.0079"],
  [7_900, 1_580, "$0.00948: carrier $0.0079, markup $0.00158"],
  [1_000_000, null, "$1.00"],
  [0, null, "$0.00"],
])("describeCost() describes the cost %s and the markup %s as: %s", (providerCostMicros, markupMicros, words) => {
  expect(describeCost({ providerCostMicros, markupMicros })).toBe(words);
});
