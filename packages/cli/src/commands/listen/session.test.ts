import { describe, expect, it } from "vitest";
import { SIGNED_AT, signedDelivery, unsignedDelivery, WEBHOOK_SECRET } from "../../testing/callbacks.ts";
import type { Handled } from "./delivery.ts";
import type { EventRecord } from "./event-record.ts";
import { createRecentIds } from "./recent-ids.ts";
import { createSession, formatSummary, type SessionOptions } from "./session.ts";
import { judge } from "./verdict.ts";

describe("a session", () => {
  function session(options: Partial<SessionOptions> = {}) {
    const shown: EventRecord[] = [];
    const told: string[] = [];
    const made = createSession({
      judge: (delivery) => judge(delivery, { secrets: [WEBHOOK_SECRET], toleranceMs: 0 }, SIGNED_AT),
      isVerifying: true,
      wants: () => true,
      forward: undefined,
      count: Number.POSITIVE_INFINITY,
      show: async (record) => void shown.push(record),
      listener: { refused: ({ reason }) => told.push(reason), unwanted: ({ type }) => told.push(type) },
      now: () => SIGNED_AT,
      ...options,
    });
    return { ...made, shown, told };
  }
  const handled = (status: number | null, more: Partial<Handled> = {}): SessionOptions["forward"] => {
    return async () => ({ status, durationMs: 1, error: status === null ? "timeout" : null, ...more });
  };

  it.each<[string, Partial<SessionOptions>, object]>([
    ["200 if nothing is forwarded", {}, { status: 200 }],
    ["the handler's status", { forward: handled(418) }, { status: 418 }],
    ["the handler's Retry-After", { forward: handled(429, { retryAfter: "60" }) }, { status: 429, retryAfter: "60" }],
    ["502 if the handler does not answer", { forward: handled(null) }, { status: 502 }],
  ])("answers a callback with %s", async (_what, options, reply) => {
    const { take, shown } = session(options);
    expect(await take(await signedDelivery("x"))).toEqual({ retryAfter: undefined, ...reply });
    expect(shown).toMatchObject([
      { time: "2026-03-02T15:04:05.000Z", verified: true, subject: "7", status: "DIALING" },
    ]);
  });

  it("neither forwards nor shows refused and unwanted callbacks", async () => {
    let forwarded = 0;
    const forward = async () => {
      forwarded += 1;
      return { status: 200, durationMs: 1, error: null };
    };
    const { take, shown, told, counts } = session({ forward, wants: (type) => type === "b" });
    const replies = [
      await take(unsignedDelivery("{}")),
      await take(await signedDelivery("a")),
      await take(await signedDelivery("b")),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 200, 200]);
    expect([shown.length, forwarded, told]).toEqual([1, 1, ["missing_header", "a"]]);
    expect(formatSummary(counts, true)).toBe("1 event, 1 accepted by the handler, 1 refused, 1 not wanted");
  });

  it("marks and counts repeats", async () => {
    const { take, shown, counts } = session({ count: 3 });
    for (const id of ["evt_1", "evt_2", "evt_1"]) await take(await signedDelivery("x", {}, id));
    expect(shown.map(({ repeat }) => repeat)).toEqual([false, false, true]);
    expect(formatSummary(counts, false)).toBe("3 events (1 again)");
  });

  it("ends after `count` events, and answers later callbacks with 503", async () => {
    const { take, done, shown } = session({ count: 2 });
    const replies = await Promise.all(
      ["a", "b", "c"].map(async (id) => (await take(await signedDelivery("x", {}, id))).status),
    );
    await done;
    expect(replies.sort()).toEqual([200, 200, 503]);
    expect([shown.length, await take(await signedDelivery("x"))]).toEqual([2, { status: 503, retryAfter: "5" }]);
  });

  it("ends with an error if an event cannot be shown, and makes the service retry", async () => {
    const failure = new Error("the query failed");
    const { take, done } = session({ show: () => Promise.reject(failure) });
    const ended = expect(done).rejects.toBe(failure);
    expect(await take(await signedDelivery("x"))).toEqual({ status: 500 });
    await ended;
  });
});

it("a session remembers only the latest ids", () => {
  const { isRepeat } = createRecentIds(2);
  expect(["a", "b", "a", "c", "b", "a", null, null].map(isRepeat)).toEqual([
    ...[false, false, true, false, true, false, false, false],
  ]);
});
