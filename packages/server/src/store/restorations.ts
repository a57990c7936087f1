// A database restored from a backup is older than what its carriers know: what still waits in it may have been sent
// since. None of that is handed over before the carrier is asked; what was accepted later does not wait.

import { doubtAccepted } from "./accepted-queue.ts";
import { toQueueText } from "./queue-columns.ts";
import type { Transaction } from "./store.ts";

/** How much of what waits may have been sent already. */
export interface Doubts {
  /** Accepted messages, and those that were to be submitted again. */
  readonly messages: number;
  /** Payments not handed over yet. */
  readonly payments: number;
  /** Speech not made yet. */
  readonly speeches: number;
}

export interface RestorationStart {
  /** Epoch milliseconds. */
  readonly now: number;
  /** How long from `now` the carriers are asked. */
  readonly patienceMs: number;
  /** Whether others may serve the database, and submit what they have leases of. @default false */
  readonly isServed?: boolean;
}

/** Interval between questions about messages that a carrier had, so that all take a bounded share of its time. */
const SPACING_MS = 20;

/**
 * Notes that the database may be behind its carriers. What waits is asked about before it is handed over; calls not
 * dialled yet follow when they are, and confirmations when a reply is reported again, see
 * `addDoubt`.
 */
export async function beginRestoration(
  tx: Transaction,
  { now, patienceMs, isServed = false }: RestorationStart,
): Promise<Doubts> {
  const leasesEndAfter = isServed ? now : Number.MAX_SAFE_INTEGER;
  await tx.run(
    `INSERT INTO restorations (restored_at, last_request_id, last_message_id)
     SELECT $1, COALESCE((SELECT MAX(request_id) FROM tts_calls), 0),
            COALESCE((SELECT MAX(message_id) FROM messages), '')`,
    now,
  );
  const { doubted, asked } = await doubtAccepted(tx, { now, giveUpAt: now + patienceMs, leasesEndAfter });
  await tx.run(
    `UPDATE messages SET status = 'SENDING', provider = d.carrier, updated_at = $1 FROM dispatches d
      WHERE d.message_id = messages.message_id AND d.state IN ('waiting', 'ready') AND messages.status = 'QUEUED'`,
    now,
  );
  const lives = "lease_token IS NOT NULL AND due_at > $1";
  const again = await tx.run(
    `UPDATE dispatches SET state = 'reconciling', lease_token = NULL, asks = 0, due_at = $2, give_up_at = $3
      WHERE state <> 'awaiting' AND NOT (${lives})`,
    leasesEndAfter,
    now,
    now + patienceMs,
  );
  // whoever holds it may be about to submit it: it is asked about once the lease has run out
  await tx.run(`UPDATE dispatches SET state = 'handed-over' WHERE state = 'submitting' AND ${lives}`, leasesEndAfter);
  const payments = await tx.run("UPDATE payments SET begun_at = $1 WHERE status = 'PENDING' AND begun_at IS NULL", now);
  const speeches = await tx.run("UPDATE speech_assets SET has_begun = 1, asks = 0 WHERE status = 'PENDING'");
  return { messages: doubted + asked + again, payments, speeches };
}

/** Asks again about messages that the carriers had: what they reported since is lost. Returns how many there are. */
export function askAgain(tx: Transaction, { now, patienceMs }: RestorationStart): Promise<number> {
  return tx.run(
    `UPDATE dispatches SET state = 'reconciling', asks = 0, due_at = $1 + $2 * place, give_up_at = $3
       FROM (SELECT message_id AS had, ROW_NUMBER() OVER (ORDER BY message_id) AS place
               FROM dispatches WHERE state = 'awaiting') AS places
      WHERE message_id = had`,
    now,
    SPACING_MS,
    now + patienceMs,
  );
}

/** What `msgd verify` says of a restored database: since when, and what is still in doubt. */
export interface Restoration {
  /** Epoch milliseconds. */
  readonly restoredAt: number;
  readonly messages: number;
  readonly calls: number;
  readonly payments: number;
}

/** The database's last restoration; undefined if there was none. */
export async function findRestoration(tx: Transaction): Promise<Restoration | undefined> {
  return tx.get<Restoration>(
    `SELECT r.restored_at AS "restoredAt",
            (SELECT COUNT(*) FROM doubts)
              + (SELECT COUNT(*) FROM dispatches d JOIN messages m ON m.message_id = d.message_id
                  WHERE d.state = 'reconciling' AND d.message_id <= r.last_message_id AND m.status = 'SENDING') AS messages,
            (SELECT COUNT(*) FROM tts_calls c WHERE c.request_id <= r.last_request_id
                AND c.status IN ('QUEUED', 'SCHEDULED', 'SYNTHESIZING')) AS calls,
            (SELECT COUNT(*) FROM payments WHERE status = 'PENDING' AND begun_at = r.restored_at) AS payments
       FROM restorations r ORDER BY r.restoration_id DESC LIMIT 1`,
  );
}

/** The last call that may have been dialled before the database was restored; 0 if it never was. */
export async function findLastRestoredCall(tx: Transaction): Promise<number> {
  const row = await tx.get<{ requestId: number }>(
    `SELECT last_request_id AS "requestId" FROM restorations ORDER BY restoration_id DESC LIMIT 1`,
  );
  return row?.requestId ?? 0;
}

/** The last message that the database had when it was last restored; undefined if it never was, or had none. */
export async function findLastRestoredMessage(tx: Transaction): Promise<string | undefined> {
  const row = await tx.get<{ messageId: string }>(
    `SELECT last_message_id AS "messageId" FROM restorations ORDER BY restoration_id DESC LIMIT 1`,
  );
  return row?.messageId || undefined;
}

/** Marks a message to be asked about before it is submitted. */
export async function addDoubt(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("INSERT INTO doubts (message_id) VALUES ($1) ON CONFLICT (message_id) DO NOTHING", messageId);
}

/** Ends the doubt about a message: from now on the outbox handles it. */
export async function removeDoubt(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM doubts WHERE message_id = $1", messageId);
}

/** The message up to which the database and the carrier agree, or were made to agree. */
export async function findCarrierMark(tx: Transaction, provider: string): Promise<string | undefined> {
  const row = await tx.get<{ messageId: string }>(
    `SELECT message_id AS "messageId" FROM carrier_marks WHERE provider = $1`,
    provider,
  );
  return row?.messageId;
}

export async function saveCarrierMark(tx: Transaction, provider: string, messageId: string): Promise<void> {
  await tx.run(
    `INSERT INTO carrier_marks (provider, message_id) VALUES ($1, $2)
     ON CONFLICT (provider) DO UPDATE SET message_id = excluded.message_id`,
    provider,
    messageId,
  );
}

const statusStatement = toQueueText(
  ({ status, join }) => `SELECT ${status} AS status FROM messages m ${join} WHERE m.message_id = $1`,
);

/** Whether the database knows the message as submitted: false for one that waits, or that it does not have. */
export async function isSubmitted(tx: Transaction, messageId: string): Promise<boolean> {
  const row = await tx.get<{ status: string }>(statusStatement(tx.dialect), messageId);
  return row !== undefined && row.status !== "QUEUED";
}

/** Ends every session: those that ended since a backup are in it. */
export async function endAllSessions(tx: Transaction): Promise<void> {
  await tx.run("DELETE FROM sessions");
}
