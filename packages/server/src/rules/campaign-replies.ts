// What a merchant's campaigns add to the standard keywords, and which of them confirms a reply in its own words.

import { type CampaignWords, hasWord, type Keyword, type KeywordAction } from "./keywords.ts";
import type { CampaignStatus } from "./transitions.ts";

/** The longest SMS that is sent, in characters. A campaign that was never reviewed may hold longer texts. */
const LONGEST_MESSAGE = 1_600;

export interface ReplyCampaign {
  readonly status: CampaignStatus;
  readonly words: Readonly<Record<KeywordAction, readonly string[]>>;
}

/**
 * The words of all campaigns together. Whoever was once told a word to opt out by may use it for ever; the other words
 * are those of campaigns that are or may come into use.
 */
export function campaignWords(campaigns: readonly ReplyCampaign[]): CampaignWords {
  const usable = campaigns.filter(isUsable);
  return {
    optOut: campaigns.flatMap(({ words }) => words.OPT_OUT),
    optIn: usable.flatMap(({ words }) => words.OPT_IN),
    help: usable.flatMap(({ words }) => words.HELP),
  };
}

/**
 * The campaigns that may confirm the keyword, of those given newest first: the first whose text can be sent does. One
 * that has the word goes before one that has not, an active one before one in review.
 */
export function confirmingCampaigns<Campaign extends ReplyCampaign>(
  campaigns: readonly Campaign[],
  { action, word }: Keyword,
): Campaign[] {
  const rankOf = (campaign: Campaign) =>
    (hasWord(campaign.words[action], word) ? 0 : 2) + (campaign.status === "ACTIVE" ? 0 : 1);
  return campaigns
    .filter(isUsable)
    .map((campaign) => ({ campaign, rank: rankOf(campaign) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ campaign }) => campaign);
}

/** Whether the text can be sent as an SMS. */
export function isSendable(text: string): boolean {
  return text.trim() !== "" && [...text].length <= LONGEST_MESSAGE;
}

function isUsable({ status }: ReplyCampaign): boolean {
  return status === "ACTIVE" || status === "PENDING";
}
