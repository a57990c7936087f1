import { describe, expect, it } from "vitest";
import { checkLeases, checkMoves } from "./checks.ts";

const move = (from: string, to: string) => () => checkMoves([{ messageId: "m", from, to }]);

describe("checkMoves", () => {
  it.each([
    ["QUEUED", "SENDING"],
    ["SENDING", "DELIVERED"],
    ["QUEUED", "UNDELIVERED"],
    ["UNKNOWN", "DELIVERED"],
  ])("takes %s → %s", (from, to) => expect(move(from, to)).not.toThrow());

  it.each([
    ["SENT", "SENDING"],
    ["SENDING", "QUEUED"],
    ["DELIVERED", "UNDELIVERED"],
    ["EXPIRED", "SENDING"],
  ])("finds %s → %s", (from, to) => expect(move(from, to)).toThrow(`m went from ${from} to ${to}`));
});

describe("checkLeases", () => {
  const lease = {
    messageId: "m",
    merchantId: "m0",
    channel: "SMS",
    type: "OTP",
    purpose: "SEND",
    decisions: [null],
  } as const;

  it("finds a message that its recipient's decision does not allow", () => {
    expect(() => checkLeases([lease])).not.toThrow();
    expect(() => checkLeases([{ ...lease, decisions: ["OPT_OUT"] }])).toThrow("m: consent_opted_out");
    expect(() => checkLeases([{ ...lease, type: "MARKETING" }])).toThrow("m: consent_required");
    expect(() => checkLeases([{ ...lease, decisions: ["OPT_OUT"], purpose: "CONFIRMATION" }])).not.toThrow();
  });
});
