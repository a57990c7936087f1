// What carriers are asked about before they are given it: all that waited when the database was restored, and what
// waited for a carrier that did not say what it had been given.

import type { Transaction } from "./store.ts";

/** The last of what the database had when carriers may have been ahead of it. */
export interface Horizon {
  /** The carrier that may have been; undefined for all of them. */
  readonly carrier: string | undefined;
  /** 0 if it had no call. */
  readonly lastRequestId: number;
  /** Empty if it had no message. */
  readonly lastMessageId: string;
}

/** Of the last restoration, and of each carrier that did not say what it had. */
export async function listHorizons(tx: Transaction): Promise<Horizon[]> {
  const restoration = await tx.get<Omit<Horizon, "carrier">>(
    `SELECT last_request_id AS "lastRequestId", last_message_id AS "lastMessageId"
       FROM restorations ORDER BY restoration_id DESC LIMIT 1`,
  );
  const suspicions = await tx.all<Horizon>(
    `SELECT carrier, last_request_id AS "lastRequestId", last_message_id AS "lastMessageId" FROM suspicions ORDER BY carrier`,
  );
  return restoration === undefined ? suspicions : [{ ...restoration, carrier: undefined }, ...suspicions];
}

/** Marks a message that is accepted now as one that the carriers of these horizons may have been given. */
export async function addDoubts(
  tx: Transaction,
  messageId: string,
  horizons: readonly Pick<Horizon, "carrier">[],
): Promise<void> {
  for (const { carrier } of horizons) {
    if (carrier === undefined)
      await tx.run("INSERT INTO doubts (message_id) VALUES ($1) ON CONFLICT DO NOTHING", messageId);
    else {
      await tx.run(
        "INSERT INTO suspected_messages (message_id, carrier) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        messageId,
        carrier,
      );
    }
  }
}

/**
 * Ends the doubts about a message, which the outbox handles from now on. Returns whether this carrier may have been given
 * it.
 */
export async function endDoubts(tx: Transaction, messageId: string, carrier: string | undefined): Promise<boolean> {
  const ofAll = await tx.run("DELETE FROM doubts WHERE message_id = $1", messageId);
  const suspected = await tx.all<{ carrier: string }>(
    "DELETE FROM suspected_messages WHERE message_id = $1 RETURNING carrier",
    messageId,
  );
  return ofAll > 0 || suspected.some((one) => one.carrier === carrier);
}
