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

const optOutWords = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"]);
const optInWords = new Set(["START", "UNSTOP"]);
const helpWords = new Set(["HELP", "INFO"]);

/** FCC 47 CFR 64.1200(a)(10): any reasonable wording revokes consent, so the plainest ones count as a STOP. */
const optOutPhrases = new Set(
  [
    "stop",
    "unsubscribe",
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
    "leave me alone",
  ].map(fold),
);

/**
 * Reads a whole reply as one keyword, or undefined when it is free text. Case, spaces and punctuation do not count.
 * `YES` opts in only a recipient who is opted out: to anybody else it answers the conversation.
 */
export function readKeyword(
  text: string,
  context: { optedOut: boolean; campaignWords?: CampaignWords },
): Keyword | undefined {
  const word = fold(text);
  if (word === "") return undefined;
  const campaign = context.campaignWords ?? {};
  if (optOutWords.has(word)) return { action: "OPT_OUT", word };
  if (optInWords.has(word) || (word === "YES" && context.optedOut)) return { action: "OPT_IN", word };
  if (helpWords.has(word)) return { action: "HELP", word };
  if (hasWord(campaign.optOut, word)) return { action: "OPT_OUT", word };
  if (hasWord(campaign.optIn, word)) return { action: "OPT_IN", word };
  if (hasWord(campaign.help, word)) return { action: "HELP", word };
  if (optOutPhrases.has(word) || optOutPhrases.has(withoutCourtesy(word))) return { action: "OPT_OUT", word: "STOP" };
  return undefined;
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

function withoutCourtesy(word: string): string {
  return word.replace(/^(?:PLEASE|PLS)/, "").replace(/(?:PLEASE|PLS|THANKS|THANKYOU)$/, "");
}
