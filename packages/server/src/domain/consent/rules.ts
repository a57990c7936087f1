// Consent: whether a message may be sent, and what a reply changes.

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
 * CTIA messaging principles: consent before informational, written consent before promotional traffic, and a STOP blocks
 * everything by SMS. FCC 24-17: a synthetic voice is an artificial voice. CAN-SPAM exempts transactional email.
 */
const rules: Record<MessageType, Record<Channel, ConsentRule>> = {
  MARKETING: { SMS: onlyOptedIn, VOICE: onlyOptedIn, EMAIL: onlyOptedIn },
  REMINDER: { SMS: onlyOptedIn, VOICE: onlyOptedIn, EMAIL: unlessOptedOut },
  TRANSACTIONAL: { SMS: unlessOptedOut, VOICE: onlyOptedIn, EMAIL: open },
  OTP: { SMS: unlessOptedOut, VOICE: unlessOptedOut, EMAIL: open },
};

/**
 * Decides whether a message of this type may go out on this channel, given the recipient's recorded consent, if any.
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
  /** The word as matched, in capitals without spaces or punctuation; `STOP` for a plain phrase. */
  word: string;
}

/** Words of campaigns, beside the standard words, which always count. */
interface CampaignWords {
  optOut?: readonly string[];
  optIn?: readonly string[];
  help?: readonly string[];
}

const optOutWords = new Set([
  ...["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"],
  // French (CRTC) and Spanish
  ...["ARRET", "ARRÊT", "PARAR"],
]);
const optInWords = new Set(["START", "UNSTOP"]);
const helpWords = new Set(["HELP", "INFO"]);

/** FCC 47 CFR 64.1200(a)(10): any reasonable wording revokes consent, so the plainest ones count as a STOP. */
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

/** Said beside a keyword, before or after it, and never meant by itself. */
const courtesies =
  "please|pls|plz|thanks|thank you|thankyou|thx|ty|now|kindly|hi|hello|hey|ok|okay|sir|madam|team|guys";
const between = "[\\s\\p{P}\\p{S}]*";
const courtesy = new RegExp(`^(?:${between}(?:${courtesies})\\b)+|(?:\\b(?:${courtesies})${between})+$`, "giu");

/** A signature that a phone or mail program adds: after an empty line or a line of dashes, or on a last line. */
const signature = /\n\s*(?:\n|-{2,3}\s*\n|(?:[-–—]+\s*)?(?:sent (?:from|via)|get outlook for)\b)[\s\S]*$/iu;

/**
 * Reads a whole reply as one keyword, or undefined when it is free text. Case, spaces, punctuation and emoji do not
 * count, nor do repetitions, courtesies and a phone's signature around the word; a sentence that merely contains it is
 * free text. `YES` opts in only a recipient who is opted out: from anybody else it is part of the conversation.
 */
export function readKeyword(
  text: string,
  context: { optedOut: boolean; campaignWords?: CampaignWords },
): Keyword | undefined {
  const plain = text.slice(0, LONGEST_READ).normalize("NFKC");
  const bare = withoutSignature(plain).replace(courtesy, "");
  // unchanged first: a campaign's word may be a courtesy
  for (const candidate of [plain, bare]) {
    const word = once(candidate);
    const action = word === "" ? undefined : actionOf(word, context);
    if (action !== undefined) return { action, word: action === "OPT_OUT" && !isWord(word, context) ? "STOP" : word };
  }
  return undefined;
}

/** No keyword is longer, with everything that may surround it. */
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

/** Returns whether it is a word of a list, rather than a phrase for one. */
function isWord(word: string, { campaignWords = {} }: { campaignWords?: CampaignWords }): boolean {
  return optOutWords.has(word) || hasWord(campaignWords.optOut, word);
}

/** Returns whether the reply's word, as `readKeyword` gives it, is one of the words in any spelling. */
function hasWord(words: readonly string[] | undefined, word: string): boolean {
  return words?.some((candidate) => fold(candidate) === word) ?? false;
}

/** Letters and digits only, in capitals; full-width and styled letters count as the plain ones. */
function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Folded, with a repeated word said once. */
function once(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const [first = ""] = words;
  return words.every((word) => fold(word) === fold(first)) ? fold(first) : fold(text);
}

function withoutSignature(text: string): string {
  return text.trimStart().replaceAll("\r\n", "\n").replace(signature, "");
}

/** The longest SMS that is sent, in characters. A campaign that was never reviewed may hold longer texts. */
const LONGEST_MESSAGE = 1_600;

export interface ReplyCampaign {
  readonly status: CampaignStatus;
  readonly words: Readonly<Record<KeywordAction, readonly string[]>>;
}

/**
 * The words of all campaigns together. Opt-out words count for ever, as recipients were told them; other words count
 * while their campaign is or may come into use.
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
 * with the word precedes one without, an active one precedes one in review.
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
