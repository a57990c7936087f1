import { describe, expect, it } from "vitest";
import { campaignConfirmation, campaignWords, type ReplyCampaign } from "./campaign-replies.ts";
import type { CampaignStatus } from "./transitions.ts";

function campaign(
  name: string,
  status: CampaignStatus,
  change: Partial<ReplyCampaign["messages"]> = {},
): ReplyCampaign {
  return {
    status,
    words: { OPT_IN: [`join ${name}`], OPT_OUT: [`bye ${name}`], HELP: [`aid ${name}`] },
    messages: { OPT_IN: `${name} in`, OPT_OUT: `${name} out`, HELP: `${name} help`, ...change },
  };
}

describe("campaignWords", () => {
  it("honours every word to opt out, and the others of campaigns in use or in review", () => {
    const statuses = ["ACTIVE", "PENDING", "EXPIRED", "SUSPENDED", "FAILED"] as const;
    const words = campaignWords(statuses.map((status) => campaign(status, status)));
    expect(words.optOut).toEqual(statuses.map((status) => `bye ${status}`));
    expect(words.optIn).toEqual(["join ACTIVE", "join PENDING"]);
    expect(words.help).toEqual(["aid ACTIVE", "aid PENDING"]);
  });
});

describe("campaignConfirmation", () => {
  const stop = { action: "OPT_OUT", word: "STOP" } as const;
  const [active, pending, expired] = [campaign("a", "ACTIVE"), campaign("p", "PENDING"), campaign("e", "EXPIRED")];

  it.each<[string, ReplyCampaign[], Parameters<typeof campaignConfirmation>[1], string | undefined]>([
    ["none", [], stop, undefined],
    ["only one that is over", [expired], stop, undefined],
    ["one in review", [expired, pending], stop, "p out"],
    ["an active one before a newer one in review", [pending, active], stop, "a out"],
    ["the newest of the active", [campaign("n", "ACTIVE"), active], stop, "n out"],
    ["the one that has the word", [active, pending], { action: "OPT_OUT", word: "BYEP" }, "p out"],
    ["the message of the action", [active], { action: "HELP", word: "HELP" }, "a help"],
    ["one whose text fits an SMS", [campaign("l", "ACTIVE", { OPT_OUT: "x".repeat(1_601) }), pending], stop, "p out"],
    ["none that is blank", [campaign("b", "ACTIVE", { OPT_OUT: "  " })], stop, undefined],
  ])("%s", (_case, campaigns, keyword, expected) => {
    expect(campaignConfirmation(campaigns, keyword)).toBe(expected);
  });
});
