// The parts that carriers took of messages, by the carrier's own ids, and receipts of ids that are not known yet: some come
// before the answer to their submission.

import type { Transaction } from "./store.ts";

/** How far a part is; null while only its being taken is known. */
type PartStatus = "DELIVERED" | "UNDELIVERED" | "EXPIRED" | null;

/** A carrier's id of a part. `provider` is the name under which its ids are kept, however often it was set. */
export interface PartKey {
  readonly provider: string;
  readonly part: string;
}

/** Stands for the message of a part that only a receipt has named so far. */
const NOT_KNOWN = "";

/**
 * Adds the parts of a message; those that it has already keep what was reported of them. An id that the carrier uses again is of
 * the newer message from then on.
 */
export async function insertParts(tx: Transaction, { provider, parts, messageId, now }: NewParts): Promise<void> {
  for (const part of parts) {
    await tx.run(
      `INSERT INTO message_parts (provider, part, message_id, taken_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (provider, part) DO UPDATE
         SET message_id = excluded.message_id, status = NULL, recipient = NULL, taken_at = excluded.taken_at
         WHERE message_parts.message_id <> excluded.message_id`,
      provider,
      part,
      messageId,
      now,
    );
  }
}

interface NewParts {
  readonly provider: string;
  readonly parts: readonly string[];
  readonly messageId: string;
  readonly now: number;
}

/** The message that the part is of; undefined while that is not known. */
export async function findPartMessage(tx: Transaction, { provider, part }: PartKey): Promise<string | undefined> {
  const row = await tx.get<{ messageId: string }>(
    `SELECT message_id AS "messageId" FROM message_parts WHERE provider = $1 AND part = $2 AND message_id <> $3`,
    provider,
    part,
    NOT_KNOWN,
  );
  return row?.messageId;
}

/**
 * Notes that a receipt has named the part: whoever adds its message waits for this transaction, and sees the receipt. Returns
 * false if its message was added meanwhile.
 */
export async function expectPart(tx: Transaction, { provider, part }: PartKey, now: number): Promise<boolean> {
  await tx.run(
    `INSERT INTO message_parts (provider, part, message_id, taken_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (provider, part) DO NOTHING`,
    provider,
    part,
    NOT_KNOWN,
    now,
  );
  return (await findPartMessage(tx, { provider, part })) === undefined;
}

/** Saves how far a part is, unless it has ended before. */
export async function savePartStatus(
  tx: Transaction,
  { provider, part }: PartKey,
  status: Exclude<PartStatus, null>,
): Promise<void> {
  await tx.run(
    "UPDATE message_parts SET status = $3 WHERE provider = $1 AND part = $2 AND status IS NULL",
    provider,
    part,
    status,
  );
}

export async function listPartStatuses(tx: Transaction, messageId: string): Promise<PartStatus[]> {
  const rows = await tx.all<{ status: PartStatus }>(
    "SELECT status FROM message_parts WHERE message_id = $1",
    messageId,
  );
  return rows.map(({ status }) => status);
}

/** Takes the number from the parts of a message that were noted before texts had lines (text-lines.ts). */
export async function eraseParts(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("UPDATE message_parts SET recipient = NULL WHERE message_id = $1 AND recipient IS NOT NULL", messageId);
}

/** A receipt kept until its part is known, as JSON. */
export interface ParkedReceipt extends PartKey {
  readonly eventId: string;
  readonly receipt: string;
}

export async function parkReceipt(
  tx: Transaction,
  { provider, part, eventId, receipt, now }: ParkedReceipt & { now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO parked_receipts (provider, part, event_id, receipt, parked_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (provider, part, event_id) DO NOTHING`,
    provider,
    part,
    eventId,
    receipt,
    now,
  );
}

/** Takes out what was kept for a part, the earliest first. */
export async function takeParked(tx: Transaction, { provider, part }: PartKey): Promise<string[]> {
  const rows = await tx.all<{ receipt: string }>(
    "SELECT receipt FROM parked_receipts WHERE provider = $1 AND part = $2 ORDER BY parked_at, event_id",
    provider,
    part,
  );
  if (rows.length > 0) await tx.run("DELETE FROM parked_receipts WHERE provider = $1 AND part = $2", provider, part);
  return rows.map(({ receipt }) => receipt);
}
