import type { Schemas } from "@msgctl/contract";

/** Why a message or a call did not reach its recipient. */
export type DeliveryReason = Schemas["DeliveryReason"];

/** Why a server wants no mail for a recipient, by the enhanced code of its words. */
export function readReason(words: string): DeliveryReason {
  const [, subject] = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(words) ?? [];
  return subject === "7" ? "BLOCKED" : "UNREACHABLE";
}

/** Longest kept words of a peer, in UTF-16 units: a reply line of SMTP is at most 512 octets. */
const LONGEST_WORDS = 500;
/** Matches controls, lone surrogates and bidirectional marks, which a terminal, a page or PostgreSQL would not show as text. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Cleans a peer's words for storing and showing: one line of bounded length. */
export function cleanWords(words: string, longest = LONGEST_WORDS): string {
  return words.slice(0, longest).replaceAll(UNPRINTABLE, " ").trim();
}
