import { describe, expect, it } from "vitest";
import { SIGNED_AT, signedDelivery, unsignedDelivery, WEBHOOK_SECRET } from "../../testing/callbacks.ts";
import type { Delivery } from "./delivery.ts";
import { judge } from "./verdict.ts";

describe("judge", () => {
  const trust = { secrets: [WEBHOOK_SECRET], toleranceMs: 300_000 };

  it.each([
    [0, undefined],
    [300_000, undefined],
    [301_000, "too_old"],
    [-301_000, "too_new"],
  ])("judges a callback signed %i ms ago: %s", async (ageMs, reason) => {
    const verdict = await judge(await signedDelivery("x"), trust, SIGNED_AT + ageMs);
    expect(verdict.isTaken ? undefined : verdict.reason).toBe(reason);
    if (verdict.isTaken) return;
    expect(verdict.message).toBe(
      `its timestamp is 301 s ${ageMs > 0 ? "old" : "in the future"}, but at most 300 s are accepted`,
    );
    expect(verdict.advice).toContain("--tolerance");
  });

  it.each<[string, Delivery]>([
    ["missing_header", unsignedDelivery("{}")],
    ["missing_header", unsignedDelivery("{}", { "webhook-id": "evt_1", "webhook-timestamp": "1" })],
    [
      "bad_timestamp",
      unsignedDelivery("{}", { "webhook-id": "a", "webhook-timestamp": "now", "webhook-signature": "v1,a" }),
    ],
    [
      "no_matching_signature",
      unsignedDelivery("{}", {
        "webhook-id": "a",
        "webhook-timestamp": `${SIGNED_AT / 1000}`,
        "webhook-signature": "v1,a",
      }),
    ],
  ])("refuses a callback as %s, and says how to fix it", async (reason, delivery) => {
    const verdict = await judge(delivery, trust, SIGNED_AT);
    expect(verdict).toMatchObject({ isTaken: false, reason, advice: expect.stringMatching(/\.$/) });
  });

  it.each([
    ['{"type":"x","timestamp":"t","data":9007199254740993}', { type: "x", timestamp: "t", data: 9007199254740993n }],
    ['{"type":"x"}', { type: "x", timestamp: null, data: null }],
    ['{"type":7}', "not_an_event"],
    ["[]", "not_an_event"],
    [`{"type":"x","data":${"[".repeat(100)}"[{"${"]".repeat(100)}}`, "not_an_event"],
    ["{", "not_json"],
    ["\xff\ud800", "not_an_event"],
  ])("judges the body %s without a secret: %o", async (text, expected) => {
    const bytes = text.startsWith("\xff") ? Buffer.from([0xff]) : Buffer.from(text);
    const verdict = await judge(
      { body: bytes, headers: { "webhook-id": "evt_1" } },
      { ...trust, secrets: undefined },
      SIGNED_AT,
    );
    if (verdict.isTaken) expect(verdict.event).toEqual({ id: "evt_1", ...(expected as object) });
    else expect(verdict.reason).toBe(text.startsWith("\xff") ? "not_json" : expected);
  });
});
