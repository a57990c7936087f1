// What a carrier last said of a message that it did not take at once, or did not deliver.

import type { Transaction } from "./store.ts";

/** Keeps the words in place of earlier ones. */
export async function saveCarrierWords(
  tx: Transaction,
  { messageId, words, now }: { messageId: string; words: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO carrier_words (message_id, words, said_at) VALUES ($1, $2, $3)
     ON CONFLICT (message_id) DO UPDATE SET words = excluded.words, said_at = excluded.said_at`,
    messageId,
    words,
    now,
  );
}

export async function removeCarrierWords(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM carrier_words WHERE message_id = $1", messageId);
}
