// Rules of consent: which messages may be sent, and how replies change consent.

import type { Schemas } from "@msgctl/contract";
import type { Channel } from "../contacts.ts";
import type { ConsentPolicy } from "../policies.ts";
import type { CampaignStatus } from "../transitions.ts";

export type MessageType = Schemas["MessageType"];
export type ConsentStatus = Schemas["ConsentStatus"];

export type ConsentDecision = "allowed" | "consent_required" | "consent_opted_out";

interface ConsentRule {
  withoutRecord: "allowed" | "consent_required";
  optedOut: "allowed" | "consent_opted_out";
}

const open: ConsentRule = { withoutRecord: "allowed", optedOut: "allowed" };
const unlessOptedOut: ConsentRule = { withoutRecord: "allowed", optedOut: "consent_opted_out" };
const onlyOptedIn: ConsentRule = { withoutRecord: "consent_required", optedOut: "consent_opted_out" };

/**
 * CTIA messaging principles require consent for informational and written consent for promotional traffic, and a STOP
 * blocks all SMS. FCC 24-17: a synthetic voice counts as an artificial voice. CAN-SPAM exempts transactional email.
 */
const rules: Record<MessageType, Record<Channel, ConsentRule>> = {
  MARKETING: { SMS: onlyOptedIn, VOICE: onlyOptedIn, EMAIL: onlyOptedIn },
  REMINDER: { SMS: onlyOptedIn, VOICE: onlyOptedIn, EMAIL: unlessOptedOut },
  TRANSACTIONAL: { SMS: unlessOptedOut, VOICE: onlyOptedIn, EMAIL: open },
  OTP: { SMS: unlessOptedOut, VOICE: unlessOptedOut, EMAIL: open },
};

/**
 * Decides whether a message of this type may be sent on this channel, given the recipient's recorded consent, if any.
 */
export function decideConsent(question: {
  policy: ConsentPolicy;
  channel: Channel;
  type: MessageType;
  status: ConsentStatus | undefined;
}): ConsentDecision {
  const rule = rules[question.type][question.channel];
  if (question.status === "OPT_OUT") return rule.optedOut;
  if (question.status === "OPT_IN" || question.policy === "opt_out_only") return "allowed";
  return rule.withoutRecord;
}

export type KeywordAction = "OPT_OUT" | "OPT_IN" | "HELP";

export interface Keyword {
  action: KeywordAction;
  /** The matched word in capitals, without spaces or punctuation; `STOP` for a phrase. */
  word: string;
}

/** Keywords that campaigns define. The standard keywords always count, too. */
interface CampaignWords {
  optOut?: readonly string[];
  optIn?: readonly string[];
  help?: readonly string[];
}

const optOutWords = new Set([
  ...["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"],
  // French (required by the CRTC) and Spanish
  ...["ARRET", "ARRÊT", "PARAR"],
]);
const optInWords = new Set(["START", "UNSTOP"]);
const helpWords = new Set(["HELP", "INFO"]);

/** By 47 CFR 64.1200(a)(10) any reasonable wording revokes consent, so these plain phrases count as a STOP. */
const optOutPhrases = new Set(
  [
    "stop",
    "unsubscribe",
    "stop texts",
    "stop all texts",
    "stop messages",
    "stop all messages",
    "stop now",
    "stop texting",
    "stop texting me",
    "stop messaging me",
    "stop sending me messages",
    "stop contacting me",
    "do not text me",
    "don't text me",
    "do not contact me",
    "don't contact me",
    "no more texts",
    "no more messages",
    "remove me",
    "take me off your list",
    "take me off the list",
    "unsubscribe me",
    "opt me out",
    "i want to opt out",
    "i opt out",
    "i revoke my consent",
    "revoke consent",
    "revoke my consent",
    "leave me alone",
  ].map(fold),
);

/** Courtesies that people write before or after a keyword. Alone they mean nothing. */
const courtesies =
  "please|pls|plz|thanks|thank you|thankyou|thx|ty|now|kindly|hi|hello|hey|ok|okay|sir|madam|team|guys";
const between = "[\\s\\p{P}\\p{S}]*";
const courtesy = new RegExp(`^(?:${between}(?:${courtesies})\\b)+|(?:\\b(?:${courtesies})${between})+$`, "giu");

/** A signature added by a phone or mail program: after a blank line or a line of dashes, or as the last line. */
const signature = /\n\s*(?:\n|-{2,3}\s*\n|(?:[-–—]+\s*)?(?:sent (?:from|via)|get outlook for)\b)[\s\S]*$/iu;

/**
 * Reads a whole reply as one keyword; undefined if it is free text. Ignores case, spaces, punctuation, emoji,
 * repetitions, and courtesies or a phone's signature around the word. A sentence that merely contains the word is free
 * text. `YES` opts in only a recipient who has opted out; otherwise it is part of the conversation.
 */
export function readKeyword(
  text: string,
  context: { optedOut: boolean; campaignWords?: CampaignWords },
): Keyword | undefined {
  const plain = text.slice(0, LONGEST_READ).normalize("NFKC");
  const bare = withoutSignature(plain).replace(courtesy, "");
  // try the text with courtesies first: a campaign's keyword may be one
  for (const candidate of [plain, bare]) {
    const word = once(candidate);
    const action = word === "" ? undefined : actionOf(word, context);
    if (action !== undefined) return { action, word: action === "OPT_OUT" && !isWord(word, context) ? "STOP" : word };
  }
  return undefined;
}

/** Characters of a reply that are read: more than any keyword and the words that may surround it. */
const LONGEST_READ = 400;

function actionOf(
  word: string,
  { optedOut, campaignWords: campaign = {} }: { optedOut: boolean; campaignWords?: CampaignWords },
): KeywordAction | undefined {
  if (optOutWords.has(word)) return "OPT_OUT";
  if (optInWords.has(word) || (word === "YES" && optedOut)) return "OPT_IN";
  if (helpWords.has(word)) return "HELP";
  if (hasWord(campaign.optOut, word)) return "OPT_OUT";
  if (hasWord(campaign.optIn, word)) return "OPT_IN";
  if (hasWord(campaign.help, word)) return "HELP";
  return optOutPhrases.has(word) ? "OPT_OUT" : undefined;
}

/** Returns whether the word is an opt-out keyword rather than a phrase with that meaning. */
function isWord(word: string, { campaignWords = {} }: { campaignWords?: CampaignWords }): boolean {
  return optOutWords.has(word) || hasWord(campaignWords.optOut, word);
}

/** Returns whether the word, as returned by `readKeyword`, is one of the words in any spelling. */
function hasWord(words: readonly string[] | undefined, word: string): boolean {
  return words?.some((candidate) => fold(candidate) === word) ?? false;
}

/** Keeps letters and digits only, in capitals. Full-width and styled letters become plain ones. */
function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Folds the text, and reduces repetitions of one word to that word. */
function once(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const [first = ""] = words;
  return words.every((word) => fold(word) === fold(first)) ? fold(first) : fold(text);
}

function withoutSignature(text: string): string {
  return text.trimStart().replaceAll("\r\n", "\n").replace(signature, "");
}

/** Longest SMS, in characters. The texts of a campaign that was never reviewed may be longer. */
const LONGEST_MESSAGE = 1_600;

export interface ReplyCampaign {
  readonly status: CampaignStatus;
  readonly words: Readonly<Record<KeywordAction, readonly string[]>>;
}

/**
 * The keywords of all campaigns together. Opt-out words count forever, because recipients were told them. Other words
 * count while their campaign is in use or may still be approved.
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
 * Returns the campaigns that may confirm the keyword, best first: campaigns that define the word come before others, then
 * active campaigns before those in review. Otherwise the given order is kept. The caller uses the first campaign whose text
 * can be sent.
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

/** Returns whether the text can be sent as an SMS. */
export function isSendable(text: string): boolean {
  return text.trim() !== "" && [...text].length <= LONGEST_MESSAGE;
}

function isUsable({ status }: ReplyCampaign): boolean {
  return status === "ACTIVE" || status === "PENDING";
}
