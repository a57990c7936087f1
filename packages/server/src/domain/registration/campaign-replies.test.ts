import { describe, expect, it } from "vitest";
import { campaignWords, confirmingCampaigns, isSendable } from "../consent/rules.ts";
import type { CampaignStatus } from "../transitions.ts";

function campaign(name: string, status: CampaignStatus) {
  return { name, status, words: { OPT_IN: [`join ${name}`], OPT_OUT: [`bye ${name}`], HELP: [`aid ${name}`] } };
}

describe("campaignWords", () => {
  it("include every opt-out word, and the other words of campaigns in use or in review", () => {
    const statuses = ["ACTIVE", "PENDING", "EXPIRED", "SUSPENDED", "FAILED"] as const;
    const words = campaignWords(statuses.map((status) => campaign(status, status)));
    expect(words.optOut).toEqual(statuses.map((status) => `bye ${status}`));
    expect(words.optIn).toEqual(["join ACTIVE", "join PENDING"]);
    expect(words.help).toEqual(["aid ACTIVE", "aid PENDING"]);
  });
});

describe("confirmingCampaigns", () => {
  const stop = { action: "OPT_OUT", word: "STOP" } as const;
  const [active, pending, expired] = [campaign("a", "ACTIVE"), campaign("p", "PENDING"), campaign("e", "EXPIRED")];

  it.each([
    ["returns nothing if there are no campaigns", [], stop, []],
    ["omits expired campaigns", [expired, pending], stop, ["p"]],
    ["puts an active campaign before a newer one in review", [pending, active], stop, ["a", "p"]],
    ["puts the newest active campaign first", [campaign("n", "ACTIVE"), active], stop, ["n", "a"]],
    [
      "puts the campaign that defines the word first",
      [active, pending],
      { action: "OPT_OUT", word: "BYEP" },
      ["p", "a"],
    ],
    ["ignores words of other actions", [active, pending], { action: "HELP", word: "BYEP" }, ["a", "p"]],
  ] as const)("%s", (_case, campaigns, keyword, expected) => {
    expect(confirmingCampaigns(campaigns, keyword).map(({ name }) => name)).toEqual(expected);
  });
});

describe("isSendable", () => {
  it.each([
    ["Bye", true],
    ["  ", false],
    ["😀".repeat(1_600), true],
    ["x".repeat(1_601), false],
  ])("returns for %.8j…: %s", (text, expected) => {
    expect(isSendable(text)).toBe(expected);
  });
});
