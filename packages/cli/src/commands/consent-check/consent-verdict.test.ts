import { describe, expect, it } from "vitest";
import { judgeConsent } from "./consent-verdict.ts";

describe("judgeConsent gives the verdict for", () => {
  const question = { merchantId: "m1", channel: "SMS", contact: "+12025550100" };
  const consent = { ...question, status: "OPT_IN", source: "form", updatedAt: "2026-03-01T12:00:00.000Z" };
  const { status, source, updatedAt } = consent;
  it.each<[string, readonly unknown[], object]>([
    ["an opted-in contact", [consent], { optedIn: true, status, source, updatedAt }],
    [
      "an opted-out contact",
      [{ ...consent, status: "OPT_OUT" }],
      { optedIn: false, status: "OPT_OUT", source, updatedAt },
    ],
    [
      "consents of another merchant, channel or contact only",
      [
        { ...consent, merchantId: "m2" },
        { ...consent, channel: "VOICE" },
        { ...consent, contact: "+12025550101" },
      ],
      { optedIn: false, status: null, source: null, updatedAt: null },
    ],
    [
      "a status that this version does not know",
      [{ ...consent, status: "PAUSED" }],
      { optedIn: false, status: "PAUSED" },
    ],
  ])("%s", (_, consents, verdict) => {
    expect(judgeConsent(question, consents)).toMatchObject({ ...question, ...verdict });
  });
});
