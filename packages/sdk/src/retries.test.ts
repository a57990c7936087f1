import { afterEach, describe, expect, it, vi } from "vitest";
import { isPassing, isRepeatable, pauseBefore } from "./retries.ts";
import { answered } from "./testing/answering.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ["GET", undefined, true],
  ["HEAD", undefined, true],
  ["POST", "k1", true],
  ["POST", undefined, false],
  ["PUT", undefined, false],
  ["DELETE", undefined, false],
])("%s with the idempotency key %s may be sent again: %s", (method, key, expected) => {
  expect(isRepeatable(method, key)).toBe(expected);
});

describe("a reply is a transient failure", () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 599])("if its status is %i", (status) => {
    expect(isPassing(status, "")).toBe(true);
  });

  it.each([200, 204, 301, 400, 401, 402, 403, 404, 409, 410, 422, 499])("but not if its status is %i", (status) => {
    expect(isPassing(status, '{"code":"illegal_transition"}')).toBe(false);
  });

  it("if it is a 409 because the first request is still running", () => {
    expect(isPassing(409, '{"status":409,"code":"idempotency_in_progress"}')).toBe(true);
  });
});

describe("the pause", () => {
  it.each([
    [0, 500],
    [1, 1_000],
    [3, 4_000],
    [4, 8_000],
    [1_100, 8_000],
  ])("after %i retries is random, from 0 to %i ms", (retries, longestMs) => {
    vi.spyOn(Math, "random").mockReturnValueOnce(0).mockReturnValueOnce(0.5).mockReturnValueOnce(1);
    const pauses = [0, 1, 2].map(() => pauseBefore(retries, undefined));
    expect(pauses).toEqual([0, longestMs / 2, longestMs]);
  });

  const asking = (value: string) => ({ headers: new Headers({ "retry-after": value }) });

  it.each([
    ["7", 7_000, 7_500],
    ["0.4", 400, 600],
    ["0", 0, 0],
    ["60", 60_000, 60_500],
    ["61", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ["3000000", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])(
    "for Retry-After: %s is as long as requested, plus a random part; beyond a minute, there is no retry",
    (value, least, middle) => {
      vi.spyOn(Math, "random").mockReturnValueOnce(0).mockReturnValueOnce(0.5);
      expect([0, 1].map(() => pauseBefore(0, asking(value)))).toEqual([least, middle]);
    },
  );

  it("ends the call only if the requested pause exceeds the time left; the random part does not count", () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999);
    expect(pauseBefore(0, asking("7"), 7_001)).toBeLessThan(7_001);
    expect(pauseBefore(0, asking("7"), 7_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it("is random if Retry-After cannot be read", () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    expect(pauseBefore(0, { headers: new Headers({ "retry-after": "soon" }) })).toBe(250);
  });
});

it("a call is not retried after the given fetch throws an AbortError, and its error has the reason", async () => {
  const closed = Object.assign(new Error("The mock is closed"), { name: "AbortError" });
  const { client, sent } = answered(() => Promise.reject(closed), { maxRetries: 2 });
  const outcome = await client.merchants.get("m1").safe();
  expect(outcome).toMatchObject({ error: { name: "AbortedError", cause: closed, attempts: 1 } });
  expect(sent).toHaveLength(1);
  expect(!outcome.ok && outcome.error.message).toMatch(/merchants\/m1 was aborted: The mock is closed\.$/);
});
