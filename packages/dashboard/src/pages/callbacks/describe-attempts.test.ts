import { expect, it } from "vitest";
import { describeAttempts } from "./describe-attempts.ts";

it.each([
  [0, null, "not tried"],
  // given up before its first attempt, or cut off
  [0, "410", "not tried: 410"],
  [1, "200", "1 attempt: 200"],
  [10, "timeout", "10 attempts, last timeout"],
])("describes %s attempts and %j: %s", (attempts, lastOutcome, said) => {
  expect(describeAttempts({ attempts, lastOutcome })).toBe(said);
});
