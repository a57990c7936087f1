// What carriers are asked about before they are given it: all that waited when the database was restored, and what
// waited for a carrier that did not say what it had been given.

import type { Transaction } from "./store.ts";

/** The last of what the database had when carriers may have been ahead of it. */
export interface Horizon {
  /** The carrier that may have been; null for all of them. */
  readonly carrier: string | null;
  /** 0 if it had no call. */
  readonly lastRequestId: number;
  /** Empty if it had no message. */
  readonly lastMessageId: string;
}

/** Of the last restoration, and of each carrier that did not say what it had. */
export function listHorizons(tx: Transaction): Promise<Horizon[]> {
  return tx.all<Horizon>(
    `SELECT NULL AS carrier, last_request_id AS "lastRequestId", last_message_id AS "lastMessageId"
       FROM restorations WHERE restoration_id = (SELECT MAX(restoration_id) FROM restorations)
      UNION ALL SELECT carrier, last_request_id, last_message_id FROM suspicions`,
  );
}

/** Marks a message that is accepted now as one that the carriers of these horizons may have been given. */
export async function addDoubts(
  tx: Transaction,
  messageId: string,
  horizons: readonly Pick<Horizon, "carrier">[],
): Promise<void> {
  for (const { carrier } of horizons) {
    await (carrier === null
      ? tx.run("INSERT INTO doubts (message_id) VALUES ($1) ON CONFLICT (message_id) DO NOTHING", messageId)
      : tx.run(
          `INSERT INTO suspected_messages (message_id, carrier) VALUES ($1, $2)
           ON CONFLICT (message_id, carrier) DO NOTHING`,
          messageId,
          carrier,
        ));
  }
}

/** Whether a carrier may have been given the waiting message, unknown to this database. */
export async function isInDoubt(tx: Transaction, messageId: string): Promise<boolean> {
  const row = await tx.get(
    `SELECT message_id FROM doubts WHERE message_id = $1
      UNION ALL SELECT message_id FROM suspected_messages WHERE message_id = $1 LIMIT 1`,
    messageId,
  );
  return row !== undefined;
}

/** Forgets the doubts about a message that ends without being sent. */
export async function forgetDoubts(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM doubts WHERE message_id = $1", messageId);
  await tx.run("DELETE FROM suspected_messages WHERE message_id = $1", messageId);
}

/**
 * Ends the doubts about a message, which the outbox handles from now on. Returns whether this carrier may have been given it.
 * Without a carrier, what others are suspected of is kept until there is one, unless any may have been given it.
 */
export async function endDoubts(tx: Transaction, messageId: string, carrier: string | undefined): Promise<boolean> {
  const ofAll = await tx.run("DELETE FROM doubts WHERE message_id = $1", messageId);
  if (carrier === undefined && ofAll === 0) return false;
  const suspected = await tx.all<{ carrier: string }>(
    "DELETE FROM suspected_messages WHERE message_id = $1 RETURNING carrier",
    messageId,
  );
  return ofAll > 0 || suspected.some((one) => one.carrier === carrier);
}
