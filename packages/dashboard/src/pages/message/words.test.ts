import { DELIVERY_REASON_VALUES, MESSAGE_STATUS_VALUES } from "@msgctl/contract/constants";
import { expect, it } from "vitest";
import { describeCharge, describeEnd, describePermission } from "./words.ts";

const change = { merchantId: "m1", channel: "SMS", changedBy: "mkt_1", changedAt: "2026-11-01T00:00:00Z" } as const;
const sms = { purpose: "SEND", type: "OTP", channel: "SMS", consent: null, to: "+12025550100" } as const;

it.each([
  [sms, "No opt-out was recorded. One-time passwords by SMS need no opt-in."],
  [{ ...sms, consent: { ...change, status: "OPT_IN", source: "form" } } as const, "The recipient had opted in (form)."],
  [{ ...sms, consent: { ...change, status: "OPT_IN", source: null } } as const, "The recipient had opted in."],
  [
    {
      ...sms,
      type: "TRANSACTIONAL",
      channel: "EMAIL",
      consent: { ...change, status: "OPT_OUT", source: null },
    } as const,
    "The recipient had opted out, but transactional messages by email are exempt from opt-outs.",
  ],
  [
    { ...sms, purpose: "CONFIRMATION" } as const,
    "It confirms the recipient's reply, so it needs no consent and uses no quota.",
  ],
  [{ ...sms, to: "erased" } as const, "The recipient's consent was erased with the recipient."],
])("describePermission() says why the message was allowed", (message, words) => {
  expect(describePermission(message)).toBe(words);
});

it("describeEnd() has words for every state and reason", () => {
  for (const status of MESSAGE_STATUS_VALUES) {
    for (const reason of DELIVERY_REASON_VALUES) {
      const { title, detail } = describeEnd({ status, reason, channel: "SMS" });
      expect(title).toMatch(/^[A-Z]/);
      expect(detail).toMatch(/^[A-Z].+\.$/);
    }
  }
  expect(describeEnd({ status: "DELIVERED", reason: null, channel: "SMS" })).toEqual({ title: "Delivered" });
  expect(describeEnd({ status: "FAILED", reason: "UNREACHABLE", channel: "EMAIL" }).detail).not.toContain("phone");
});

it("describeCharge() says whether the quota was charged, and of which month", () => {
  expect(describeCharge({ charge: "SETTLED", period: "2026-11-01" })).toBe("taken from the quota of 2026-11");
  expect(describeCharge({ charge: "RESERVED", period: "" })).toBe("reserved from the quota");
  expect(describeCharge({ charge: "RELEASED", period: "2026-11-01" })).toContain("given back");
});
