import { CHANNEL_VALUES, DELIVERY_REASON_VALUES } from "@msgctl/contract/constants";
import { expect, it } from "vitest";
import { describeReason, explainReason } from "./reasons.ts";

it("has a few words and a sentence for every reason", () => {
  for (const reason of DELIVERY_REASON_VALUES) {
    for (const channel of CHANNEL_VALUES) {
      expect(describeReason(reason, channel)).toMatch(/^[a-z ]+$/);
      expect(explainReason(reason, channel)).toMatch(/^[A-Z].+\.$/);
    }
  }
});

it.each([
  ["NO_ANSWER", "VOICE", "no answer"],
  ["UNREACHABLE", "SMS", "phone unreachable"],
  ["UNREACHABLE", "EMAIL", "no such mailbox"],
  ["A_NEW_ONE", "SMS", "a new one"],
  ["toString", "SMS", "tostring"],
  ["MOVED\u202E", "SMS", "moved‹U+202E›"],
])("describeReason() describes %s of a message by %s as: %s", (reason, channel, words) => {
  expect(describeReason(reason, channel)).toBe(words);
});
