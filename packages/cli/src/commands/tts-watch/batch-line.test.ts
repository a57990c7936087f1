import { describe, expect, it } from "vitest";
import { batchLine } from "./batch-line.ts";

describe("a batch on one line", () => {
  const summary = { status: "IN_PROGRESS", totalCalls: 300, success: 110, failed: 6, partial: 4, pending: 180 };
  const none = { ...summary, success: 0, failed: 0, partial: 0, pending: 300 };
  it.each<[object, object, number, string]>([
    [none, none, 0, "IN_PROGRESS: 0 of 300 over (0 %)"],
    [
      { ...summary, totalCost: 1.23 },
      none,
      60_000,
      "IN_PROGRESS: 120 of 300 over (40 %), 6 failed, 4 partial, 1.23 USD so far, 90 s left",
    ],
    [
      { ...summary, scheduled: 10, totalCost: 0 },
      none,
      60_000,
      "IN_PROGRESS: 120 of 300 over (40 %), 6 failed, 4 partial, 10 scheduled, 0.00 USD so far",
    ],
    [summary, summary, 60_000, "IN_PROGRESS: 120 of 300 over (40 %), 6 failed, 4 partial"],
    [
      { status: "COMPLETED", totalCalls: 1, success: 1, pending: 0, totalCost: 0.5 },
      none,
      1000,
      "COMPLETED: 1 of 1 over (100 %), 0.50 USD",
    ],
  ])("shows the summary %j", (view, first, elapsedMs, line) => {
    expect(batchLine(view, { first, elapsedMs })).toBe(line);
  });
});
