import { expect, it } from "vitest";
import { describeAttempts } from "./describe-attempts.ts";

it.each([
  [0, null, "not tried"],
  // the callback ended before its first attempt, because its receiver answered another callback with 410
  [0, "410", "not tried: 410"],
  [1, "200", "1 attempt: 200"],
  [10, "timeout", "10 attempts, last timeout"],
])("describeAttempts() describes %s attempts with the last outcome %j as: %s", (attempts, lastOutcome, said) => {
  expect(describeAttempts({ attempts, lastOutcome })).toBe(said);
});
