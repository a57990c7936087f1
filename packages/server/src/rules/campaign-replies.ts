// What a merchant's campaigns add to the standard keywords, and which of them confirms a reply in its own words.

import { type CampaignWords, hasWord, type Keyword, type KeywordAction } from "./keywords.ts";
import type { CampaignStatus } from "./transitions.ts";

/** The longest SMS that is sent, in characters. A campaign that was never reviewed may hold longer texts. */
const LONGEST_MESSAGE = 1_600;

export interface ReplyCampaign {
  readonly status: CampaignStatus;
  readonly words: Readonly<Record<KeywordAction, readonly string[]>>;
  readonly messages: Readonly<Record<KeywordAction, string>>;
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
 * The text that confirms the keyword, of campaigns given newest first: one that has the word goes before one that has
 * not, an active one before one in review. Undefined where no campaign can say it.
 */
export function campaignConfirmation(
  campaigns: readonly ReplyCampaign[],
  { action, word }: Keyword,
): string | undefined {
  const able = campaigns.filter((campaign) => isUsable(campaign) && isSendable(campaign.messages[action]));
  const own = able.filter(({ words }) => hasWord(words[action], word));
  const isActive = ({ status }: ReplyCampaign) => status === "ACTIVE";
  const chosen = own.find(isActive) ?? own[0] ?? able.find(isActive) ?? able[0];
  return chosen?.messages[action];
}

function isUsable({ status }: ReplyCampaign): boolean {
  return status === "ACTIVE" || status === "PENDING";
}

function isSendable(text: string): boolean {
  return text.trim() !== "" && [...text].length <= LONGEST_MESSAGE;
}
