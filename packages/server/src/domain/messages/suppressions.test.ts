import { describe, expect, it } from "vitest";
import {
  bouncesTooOften,
  canSuppress,
  describeSuppression,
  isPermanentReply,
  isPermanentStatus,
  isSuppressedBy,
} from "./suppressions.ts";

const at = Date.parse("2026-03-02T12:00:00Z");

describe("an address bounced for good", () => {
  it.each([
    ["5.1.1", true],
    ["5.1.3", true],
    ["5.1.6", true],
    ["5.1.10", true],
    ["5.2.1", true],
    [" 5.1.1 (no such user)", true],
    ["5.1.2", false],
    ["5.2.2", false],
    ["5.1.100", false],
    ["5.1.1.9", false],
    ["5.7.1", false],
    ["4.1.1", false],
    ["15.1.1", false],
    ["", false],
  ])("by the status %j: %s", (status, isPermanent) => {
    expect(isPermanentStatus(status)).toBe(isPermanent);
  });

  it.each([
    ["550 5.1.1 <ada@example.com>: no such user", true],
    ["550-5.1.1 The email account does not exist", true],
    ["550 5.1.10 null MX", true],
    ["Sorry, no mailbox here by that name. (#5.1.1)", true],
    ["550 no such user", false],
    ["550 5.7.1 [5.1.1.7] is listed", false],
    ["550 blocked, see 5.1.1", false],
    ["450 4.1.1 try again", false],
    ["550 5.1.1.7 is listed", false],
  ])("by the reply %j: %s", (reply, isPermanent) => {
    expect(isPermanentReply(reply)).toBe(isPermanent);
  });
});

describe("a bounce", () => {
  const email = { channel: "EMAIL", reason: "UNREACHABLE", isPermanent: true, at } as const;
  const sms = { channel: "SMS", reason: "UNKNOWN_HANDSET", isPermanent: false, at } as const;

  it.each([
    [{ ...email }, undefined, true],
    [{ ...email, isPermanent: false }, undefined, false],
    [{ ...email, isPermanent: false, reason: "UNKNOWN_HANDSET" as const }, at - 90_000_000, false],
    [sms, undefined, false],
    [sms, Date.parse("2026-03-02T00:00:00Z"), false],
    [sms, Date.parse("2026-03-01T23:59:59.999Z"), true],
    [{ ...sms, reason: "UNREACHABLE" as const }, at - 90_000_000, false],
    [{ ...sms, channel: "VOICE" as const }, at - 90_000_000, false],
  ])("%j after one at %s suppresses its recipient: %s", (bounce, bouncedAt, isSuppressed) => {
    expect(isSuppressedBy(bounce, bouncedAt)).toBe(isSuppressed);
  });

  it("can suppress an address or a number that does not exist", () => {
    const reasons = (bounces: readonly (typeof email | typeof sms)[]) => bounces.map(canSuppress);
    expect(reasons([email, sms])).toEqual([true, true]);
  });
});

it.each([
  [20, false],
  [21, true],
])("%i bounces of the last 100 are too many: %s", (bounced, isTooMany) => {
  expect(bouncesTooOften(bounced)).toBe(isTooMany);
});

it("the explanation says since when, why, and how to lift it", () => {
  expect(describeSuppression({ channel: "EMAIL", reason: "UNREACHABLE", suppressedAt: at })).toBe(
    "suppressed since 2026-03-02T12:00:00.000Z, because the address bounced for good (UNREACHABLE); lift it on the recipient's page or with msgd recipients unsuppress",
  );
});
