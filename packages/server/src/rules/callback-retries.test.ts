import { describe, expect, it } from "vitest";
import { decideCallback, MOST_ATTEMPTS, type ReceiverAnswer } from "./callback-retries.ts";

const now = Date.UTC(2026, 0, 15, 12);
const decide = (answer: ReceiverAnswer, attempt = 1, random = 0) =>
  decideCallback(answer, attempt, { now, random: () => random });

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;

describe("decideCallback", () => {
  it.each([200, 201, 202, 204, 299])("takes %i for delivered", (status) => {
    expect(decide({ status })).toEqual({ kind: "delivered" });
  });

  it.each([undefined, 199, 300, 301, 302, 304, 307, 400, 401, 404, 408, 409, 411, 429, 500, 503])(
    "tries again after %s",
    (status) => {
      expect(decide({ status })).toEqual({ kind: "retry", waitMs: 5 * secondMs });
    },
  );

  it("ends at 410, whichever attempt it is", () => {
    for (const attempt of [1, 5, MOST_ATTEMPTS]) expect(decide({ status: 410 }, attempt)).toEqual({ kind: "gone" });
  });

  it("waits as documented, then gives up", () => {
    const waits = Array.from({ length: MOST_ATTEMPTS }, (_none, index) => decide({ status: 500 }, index + 1));
    const documented = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => ({
      kind: "retry",
      waitMs: seconds * secondMs,
    }));
    expect(waits).toEqual([...documented, { kind: "failed" }]);
  });

  it("adds up to a tenth", () => {
    expect(decide({ status: 500 }, 2, 0.5)).toEqual({ kind: "retry", waitMs: 315 * secondMs });
    expect(decide({ status: 500 }, 2, 1)).toEqual({ kind: "retry", waitMs: 330 * secondMs });
  });

  it.each([
    ["seconds", "60", 60 * secondMs],
    ["a date", "Thu, 15 Jan 2026 12:02:00 GMT", 120 * secondMs],
    ["a date of RFC 850", "Thursday, 15-Jan-26 12:02:00 GMT", 120 * secondMs],
    ["less than the schedule", "1", 5 * secondMs],
    ["none at all", "0", 5 * secondMs],
    ["a date past", "Thu, 15 Jan 2026 11:00:00 GMT", 5 * secondMs],
    ["more than a day", "864000", 24 * hourMs],
    ["a date in years", "Thu, 15 Jan 2099 12:02:00 GMT", 24 * hourMs],
    ["more digits than a number holds", "9".repeat(400), 24 * hourMs],
    ["words", "soon", 5 * secondMs],
    ["less than nothing", "-5", 5 * secondMs],
    ["a fraction", "1.5", 5 * secondMs],
    ["nothing", "", 5 * secondMs],
  ])("heeds a Retry-After of %s", (_what, retryAfter, waitMs) => {
    for (const status of [429, 503, 500]) expect(decide({ status, retryAfter })).toEqual({ kind: "retry", waitMs });
  });

  it("does not let Retry-After add attempts", () => {
    expect(decide({ status: 503, retryAfter: "60" }, MOST_ATTEMPTS)).toEqual({ kind: "failed" });
  });
});
