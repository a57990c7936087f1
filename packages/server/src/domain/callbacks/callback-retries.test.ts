import { describe, expect, it } from "vitest";
import { decideCallback, isPatienceOver, MOST_ATTEMPTS, PATIENCE_MS, type ReceiverAnswer } from "./rules.ts";

const now = Date.UTC(2026, 0, 15, 12);
const decide = (answer: ReceiverAnswer, attempt = 1, random = 0, patienceFrom = now) =>
  decideCallback(answer, { attempt, patienceFrom }, { now, random: () => random });
const retryAfter = (waitMs: number) => ({ kind: "retry", nextAttemptAt: now + waitMs });

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;

describe("decideCallback", () => {
  it.each([200, 201, 202, 204, 299])("counts %i as delivered", (status) => {
    expect(decide({ status })).toEqual({ kind: "delivered" });
  });

  it.each([undefined, 199, 300, 301, 302, 304, 307, 400, 401, 404, 408, 409, 411, 429, 500, 503])(
    "retries after %s",
    (status) => {
      expect(decide({ status })).toEqual({ ...retryAfter(5 * secondMs), patienceFrom: now });
    },
  );

  it("ends at a 410, at any attempt", () => {
    for (const attempt of [1, 5, MOST_ATTEMPTS]) expect(decide({ status: 410 }, attempt)).toEqual({ kind: "gone" });
  });

  it("waits between attempts as documented, then gives up", () => {
    const waits = Array.from({ length: MOST_ATTEMPTS }, (_none, index) => decide({ status: 500 }, index + 1));
    const documented = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) =>
      retryAfter(seconds * secondMs),
    );
    expect(waits).toMatchObject([...documented, { kind: "failed" }]);
  });

  it("adds a jitter of up to a tenth", () => {
    expect(decide({ status: 500 }, 2, 0.5)).toMatchObject(retryAfter(315 * secondMs));
    expect(decide({ status: 500 }, 2, 1)).toMatchObject(retryAfter(330 * secondMs));
  });

  it.each([
    ["seconds", "60", 60 * secondMs],
    ["a date", "Thu, 15 Jan 2026 12:02:00 GMT", 120 * secondMs],
    ["an RFC 850 date", "Thursday, 15-Jan-26 12:02:00 GMT", 120 * secondMs],
    ["less than the scheduled delay", "1", 5 * secondMs],
    ["zero", "0", 5 * secondMs],
    ["a past date", "Thu, 15 Jan 2026 11:00:00 GMT", 5 * secondMs],
    ["more than a day", "864000", 24 * hourMs],
    ["a date years ahead", "Thu, 15 Jan 2099 12:02:00 GMT", 24 * hourMs],
    ["more digits than a number can hold", "9".repeat(400), 24 * hourMs],
    ["words", "soon", 5 * secondMs],
    ["a negative number", "-5", 5 * secondMs],
    ["a fraction", "1.5", 5 * secondMs],
    ["nothing", "", 5 * secondMs],
  ])("handles a Retry-After of %s", (_what, header, waitMs) => {
    for (const status of [429, 503, 500]) {
      const decision = decide({ status, retryAfter: header });
      // the deadline moves by as much as Retry-After delays the attempt
      expect(decision).toEqual({ ...retryAfter(waitMs), patienceFrom: now + waitMs - 5 * secondMs });
    }
  });

  it("does not let Retry-After add attempts", () => {
    expect(decide({ status: 503, retryAfter: "60" }, MOST_ATTEMPTS)).toEqual({ kind: "failed" });
  });

  it("leaves time for every attempt, even if each has full jitter and is a minute late", () => {
    let at = now;
    for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt += 1) {
      const decision = decideCallback({ status: 500 }, { attempt, patienceFrom: now }, { now: at, random: () => 1 });
      if (decision.kind !== "retry") throw new Error(`attempt ${attempt} was the last`);
      at = decision.nextAttemptAt + 60 * secondMs;
    }
    expect(isPatienceOver(now, at)).toBe(false);
  });

  it("gives up, at any attempt, if the next one would come after the end of patience", () => {
    const since = now - PATIENCE_MS + 6 * secondMs;
    expect(decide({ status: 500 }, 1, 0, since)).toMatchObject(retryAfter(5 * secondMs));
    expect(decide({ status: 500 }, 2, 0, since)).toEqual({ kind: "failed" });
  });

  it("lets Retry-After delay a callback beyond its original deadline", () => {
    const since = now - PATIENCE_MS + 10 * secondMs;
    expect(decide({ status: 429, retryAfter: "3600" }, 1, 0, since)).toMatchObject(retryAfter(3_600 * secondMs));
  });
});

describe("isPatienceOver", () => {
  it("is true after 84 hours", () => {
    expect(isPatienceOver(now, now + 84 * hourMs - 1)).toBe(false);
    expect(isPatienceOver(now, now + 84 * hourMs)).toBe(true);
  });
});
