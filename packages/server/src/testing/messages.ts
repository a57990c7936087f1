import { type Acceptance, type AskedMessage, insertMessage } from "../domain/messages/rows.ts";
import type { Transaction } from "../store/store.ts";

/** Adds an accepted message, without the checks of a send. */
export function addMessage(tx: Transaction, message: AskedMessage & Acceptance): Promise<void> {
  return insertMessage(tx, message, message);
}
