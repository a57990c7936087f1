import { expect, it } from "vitest";
import { describeOutcome } from "./describe-outcome.ts";

it.each([
  ["204", "The receiver accepted it."],
  ["302", "The receiver answered 302: redirects are not followed."],
  ["410", "The receiver accepts no more callbacks at this URL."],
  ["500", "The receiver answered 500, which is no success."],
  ["timeout", "The receiver did not answer in time."],
  ["CERT_HAS_EXPIRED", "The receiver could not be reached: CERT_HAS_EXPIRED."],
])("describeOutcome() describes %s as: %s", (outcome, words) => {
  expect(describeOutcome(outcome)).toBe(words);
});
