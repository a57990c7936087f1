import { readErasedRecipient } from "../../rules/erased-recipients.ts";
import { saveCarrierWords } from "../../store/carrier-words.ts";
import type { Transaction } from "../../store/store.ts";

/** Keeps what a carrier said of a message, for people who look at it. */
export async function keepWords(
  { tx, now }: { tx: Transaction; now: number },
  { messageId, recipient }: { messageId: string; recipient: string },
  words: string,
): Promise<void> {
  // carriers repeat whom a message was for
  if (readErasedRecipient(recipient) !== undefined) return;
  if (words !== "") await saveCarrierWords(tx, { messageId, words, now });
}
