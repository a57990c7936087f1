import { describe, expect, it } from "vitest";
import { checkDials, checkLeases, checkMoves } from "./commit-checks.ts";

const move = (from: string, to: string) => () => checkMoves([{ messageId: "m", from, to }]);

describe("checkMoves", () => {
  it.each([
    ["QUEUED", "SENDING"],
    ["SENDING", "DELIVERED"],
    ["QUEUED", "UNDELIVERED"],
    ["UNKNOWN", "DELIVERED"],
    ["SENDING", "QUEUED"],
  ])("accepts %s → %s", (from, to) => expect(move(from, to)).not.toThrow());

  it.each([
    ["SENT", "SENDING"],
    ["DELIVERED", "UNDELIVERED"],
    ["EXPIRED", "SENDING"],
  ])("rejects %s → %s", (from, to) => expect(move(from, to)).toThrow(`m went from ${from} to ${to}`));
});

describe("checkLeases", () => {
  const lease = {
    messageId: "m",
    merchantId: "m0",
    channel: "SMS",
    type: "OTP",
    purpose: "SEND",
    decisions: [null],
    ringsAt: undefined,
  } as const;

  it("reports a message that consent or quiet hours do not allow", () => {
    expect(() => checkLeases([lease])).not.toThrow();
    expect(() => checkLeases([{ ...lease, decisions: ["OPT_OUT"] }])).toThrow("m: consent_opted_out");
    expect(() => checkLeases([{ ...lease, type: "MARKETING" }])).toThrow("m: consent_required");
    expect(() => checkLeases([{ ...lease, decisions: ["OPT_OUT"], purpose: "CONFIRMATION" }])).not.toThrow();
    const night = Date.parse("2026-01-15T21:00:00-05:00");
    const call = { ...lease, channel: "VOICE", decisions: ["OPT_IN"], ringsAt: night } as const;
    expect(() => checkLeases([call], true)).not.toThrow();
    expect(() => checkLeases([{ ...call, type: "MARKETING" }])).not.toThrow();
    expect(() => checkLeases([{ ...call, type: "MARKETING" }], true)).toThrow("m leaves at 2026-01-16T02:00:00.000Z");
  });
});

describe("checkDials", () => {
  const dial = (iso: string) => () =>
    checkDials([{ requestId: 1, zone: "America/New_York", at: Date.parse(`${iso}-05:00`) }]);

  it("reports a call dialled in the quiet hours", () => {
    expect(dial("2026-01-15T08:00:00")).not.toThrow();
    expect(dial("2026-01-15T20:59:59")).not.toThrow();
    expect(dial("2026-01-15T21:00:00")).toThrow("1 was dialled at 2026-01-16T02:00:00.000Z in America/New_York");
    expect(dial("2026-01-15T07:59:59")).toThrow("1 was dialled at");
  });
});
