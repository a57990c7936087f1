import { expect, it } from "vitest";
import { type ClockAgreement, judgeClock } from "./clock-agreement.ts";

it.each([
  [2_000, "agrees", "agrees"],
  [2_001, "agrees", "apart"],
  [10_000, "agrees", "apart"],
  [10_001, "agrees", "wrong"],
  [1_001, "apart", "apart"],
  [1_000, "apart", "agrees"],
  [10_001, "apart", "wrong"],
  [5_001, "wrong", "wrong"],
  [5_000, "wrong", "apart"],
  [0, "wrong", "agrees"],
] as const)("a clock that differs by %d ms and was %s is judged %s", (apartMs, before: ClockAgreement, expected) => {
  expect(judgeClock(apartMs, before)).toBe(expected);
});
