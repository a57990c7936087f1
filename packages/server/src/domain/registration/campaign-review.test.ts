import { describe, expect, it } from "vitest";
import type { CampaignReviewStatus } from "../transitions.ts";
import { decidedStatus, judgeContent, nextReviewStage, type ReviewedContent, reviewDueAt } from "./reviews.ts";

const hourMs = 3_600_000;
const good: ReviewedContent = {
  description: "d".repeat(40),
  messageFlow: "m".repeat(40),
  sampleMessages: ["s".repeat(20), "t".repeat(1_024)],
  optInMessage: "i".repeat(20),
  optOutMessage: "o".repeat(320),
  helpMessage: "h".repeat(20),
};

describe("judgeContent", () => {
  it.each<[string, Partial<ReviewedContent>]>([
    ["valid content", {}],
    ["the longest texts", { description: "d".repeat(4_096), messageFlow: "m".repeat(2_048) }],
    ["lengths counted in characters, not code units", { helpMessage: "👍".repeat(320) }],
    ["five samples", { sampleMessages: Array.from({ length: 5 }, () => "s".repeat(20)) }],
  ])("accepts %s", (_case, change) => {
    expect(judgeContent({ ...good, ...change })).toBeUndefined();
  });

  it.each<[string, Partial<ReviewedContent>, RegExp]>([
    ["DESCRIPTION_LENGTH", { description: "d".repeat(39) }, /has 39 characters; 40 to 4096/],
    ["DESCRIPTION_LENGTH", { description: "d".repeat(4_097) }, /has 4097/],
    ["MESSAGE_FLOW_LENGTH", { messageFlow: "m".repeat(2_049) }, /40 to 2048/],
    ["SAMPLE_COUNT", { sampleMessages: ["s".repeat(20)] }, /There are 1 sample messages; 2 to 5/],
    ["SAMPLE_COUNT", { sampleMessages: Array.from({ length: 6 }, () => "s".repeat(20)) }, /There are 6/],
    ["SAMPLE_LENGTH", { sampleMessages: ["s".repeat(20), "s".repeat(19)] }, /sample message 2 has 19/],
    ["OPT_IN_MESSAGE_LENGTH", { optInMessage: "i" }, /20 to 320/],
    ["OPT_OUT_MESSAGE_LENGTH", { optOutMessage: "o".repeat(321) }, /has 321/],
    ["HELP_MESSAGE_LENGTH", { helpMessage: "👍".repeat(19) }, /has 19/],
  ])("reports %s", (code, change, reason) => {
    expect(judgeContent({ ...good, ...change })).toEqual({ code, reason: expect.stringMatching(reason) });
  });
});

describe("a review", () => {
  it("passes through its states in order, evenly over 24 hours", () => {
    const seen: [CampaignReviewStatus, number][] = [];
    let status: CampaignReviewStatus = "TCR_PENDING";
    for (let dueAt = reviewDueAt(0, status); dueAt !== undefined; dueAt = reviewDueAt(0, status)) {
      const stage = nextReviewStage(status, good);
      if (stage === undefined) throw new Error(`nothing follows ${status}`);
      status = stage.reviewStatus;
      seen.push([status, dueAt / hourMs]);
    }
    expect(seen).toEqual([
      ["TCR_ACCEPTED", 4.8],
      ["PROVIDER_ACCEPTED", 9.6],
      ["MNO_PENDING", 14.4],
      ["MNO_ACCEPTED", 19.2],
      ["MNO_PROVISIONED", 24],
    ]);
  });

  it("ends if the registry rejects the content", () => {
    const bad = { ...good, description: "short" };
    expect(nextReviewStage("TCR_PENDING", bad)).toMatchObject({ reviewStatus: "TCR_FAILED" });
    expect(nextReviewStage("TCR_ACCEPTED", bad)).toEqual({ reviewStatus: "PROVIDER_ACCEPTED" });
    for (const end of ["TCR_FAILED", "MNO_PROVISIONED", "TCR_SUSPENDED"] as const) {
      expect([nextReviewStage(end, good), reviewDueAt(0, end)]).toEqual([undefined, undefined]);
    }
  });

  it.each([
    ["TCR_PENDING", undefined],
    ["MNO_ACCEPTED", undefined],
    ["MNO_PROVISIONED", "ACTIVE"],
    ["TCR_FAILED", "FAILED"],
    ["PROVIDER_FAILED", "FAILED"],
    ["MNO_REJECTED", "FAILED"],
    ["MNO_PROVISIONING_FAILED", "FAILED"],
    ["TCR_SUSPENDED", "SUSPENDED"],
    ["TCR_EXPIRED", "EXPIRED"],
  ] as const)("in state %s gives the campaign the status %s", (reviewStatus, status) => {
    expect(decidedStatus(reviewStatus)).toBe(status);
  });
});
