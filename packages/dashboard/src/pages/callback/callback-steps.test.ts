import { expect, it } from "vitest";
import type { Views } from "../../api.ts";
import { listSteps } from "./callback-steps.tsx";

const [at, updatedAt] = ["2026-11-01T00:00:00.000Z", "2026-11-01T00:01:00.000Z"];
const callback = {
  ...{ at, updatedAt, status: "PENDING", attempts: 0, lastOutcome: null, nextAttemptAt: at, restsUntil: null },
} as Views["CallbackView"];

it.each([
  [
    {},
    [
      ["Event", at],
      ["First attempt", null],
    ],
  ],
  [
    { attempts: 2, lastOutcome: "500" },
    [
      ["Event", at],
      ["Not accepted", updatedAt],
      ["Next attempt", null],
    ],
  ],
  [
    { status: "DELIVERED", attempts: 1, lastOutcome: "200" },
    [
      ["Event", at],
      ["Delivered", updatedAt],
    ],
  ],
  [
    { status: "FAILED", attempts: 10, lastOutcome: "timeout" },
    [
      ["Event", at],
      ["Failed", updatedAt],
    ],
  ],
] as const)("lists the steps of a callback: %j", (state, steps) => {
  expect(listSteps({ ...callback, ...state }).map(({ title, at: time }) => [title, time])).toEqual(steps);
});

it("says why a callback failed", () => {
  const [, end] = listSteps({ ...callback, status: "FAILED", attempts: 10, lastOutcome: "timeout" });
  expect(end?.detail).toBe(
    "10 attempts, last timeout. The receiver did not answer in time. It is not posted again by itself.",
  );
});
