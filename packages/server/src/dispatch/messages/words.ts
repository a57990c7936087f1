import { readErasedRecipient } from "../../rules/erased-recipients.ts";
import { saveCarrierWords } from "../../store/carrier-words.ts";
import type { Transaction } from "../../store/store.ts";

/** Of what a carrier says, in UTF-16 units: a reply line of SMTP is at most 512 octets. */
const MOST_KEPT = 500;
const UNPRINTABLE = /[\s\p{Cc}\p{Cs}]+/gu;

/** Keeps what a carrier said of a message, for people who look at it. */
export async function keepWords(
  { tx, now }: { tx: Transaction; now: number },
  { messageId, recipient }: { messageId: string; recipient: string },
  detail: string,
): Promise<void> {
  // carriers repeat whom a message was for
  if (readErasedRecipient(recipient) !== undefined) return;
  const words = detail.slice(0, MOST_KEPT).replaceAll(UNPRINTABLE, " ").trim();
  if (words !== "") await saveCarrierWords(tx, { messageId, words, now });
}
