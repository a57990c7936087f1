// What a recipient's reply asks for. The standard words always count; a campaign can add words, never take one away.

export type KeywordAction = "OPT_OUT" | "OPT_IN" | "HELP";

export interface Keyword {
  action: KeywordAction;
  /** The word as matched, in capitals without spaces or punctuation; `STOP` for a plain phrase. */
  word: string;
}

export interface CampaignWords {
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

/** What a phone or a mail program adds below a text: behind an empty line, a line of dashes, or by itself on a last line. */
const signature = /\n\s*(?:\n|-{2,3}\s*\n|(?:[-–—]+\s*)?(?:sent (?:from|via)|get outlook for)\b)[\s\S]*$/iu;

/**
 * Reads a whole reply as one keyword, or undefined when it is free text. Case, spaces, punctuation and emoji do not count, nor do
 * repetitions, courtesies and a phone's signature around the word; a sentence that merely contains it is free text. `YES` opts in
 * only a recipient who is opted out: to anybody else it answers the conversation.
 */
export function readKeyword(
  text: string,
  context: { optedOut: boolean; campaignWords?: CampaignWords },
): Keyword | undefined {
  const plain = text.slice(0, LONGEST_READ).normalize("NFKC");
  const bare = withoutSignature(plain).replace(courtesy, "");
  // as it stands first: a campaign's word may be a courtesy
  for (const candidate of [plain, bare]) {
    const word = once(candidate);
    const action = word === "" ? undefined : actionOf(word, context);
    if (action !== undefined) return { action, word: action === "OPT_OUT" && !isWord(word, context) ? "STOP" : word };
  }
  return undefined;
}

/** No keyword with all that may stand around it is longer. */
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

/** Whether it is a word of a list, rather than a phrase that stands for one. */
function isWord(word: string, { campaignWords = {} }: { campaignWords?: CampaignWords }): boolean {
  return optOutWords.has(word) || hasWord(campaignWords.optOut, word);
}

/** Whether the reply's word, as `readKeyword` gives it, is one of the words, however they are written. */
export function hasWord(words: readonly string[] | undefined, word: string): boolean {
  return words?.some((candidate) => fold(candidate) === word) ?? false;
}

/** Letters and digits only, in capitals; full-width and styled letters count as the plain ones. */
function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Folded, with a word that is only repeated said once. */
function once(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const [first = ""] = words;
  return words.every((word) => fold(word) === fold(first)) ? fold(first) : fold(text);
}

function withoutSignature(text: string): string {
  return text.trimStart().replaceAll("\r\n", "\n").replace(signature, "");
}
