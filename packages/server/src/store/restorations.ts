// Databases that may be behind their carriers: a restored backup, or an older copy of a database that has submitted
// messages since. Before a waiting message is submitted, its carrier is asked whether it has the message. Messages
// accepted later are not delayed.

import { SUBMIT_PAYMENT } from "./jobs.ts";
import { queueOf } from "./queue/engine.ts";
import { NO_CARRIER } from "./queue/message-rows.ts";
import { toQueueText } from "./queue/queue.ts";
import { findValue, type Transaction } from "./store.ts";

/** Numbers of waiting objects that may have been sent already. */
export interface Doubts {
  /** Accepted messages, and messages that waited for another attempt. */
  readonly messages: number;
  /** Payments that were not handed to their processor yet. */
  readonly payments: number;
  /** Speech assets that were not generated yet. */
  readonly speeches: number;
}

interface RestorationStart {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Time for which carriers are asked, in milliseconds from `now`. */
  readonly patienceMs: number;
  /** Whether other instances may serve the database and still submit messages that they have leased. @default false */
  readonly isServed?: boolean;
}

/** Interval between questions about messages that carriers already have. It bounds the load on a carrier. */
const SPACING_MS = 20;

// locks the rows: if another transaction claims a message meanwhile, its commit removes the message from the selection
const doubtAcceptedStatement = toQueueText(
  ({ accepted }) => `
  INSERT INTO doubts (message_id)
  SELECT message_id FROM (${accepted}) AS accepted WHERE TRUE ORDER BY message_id FOR UPDATE
  ON CONFLICT (message_id) DO NOTHING`,
);

/**
 * Records that the database may be behind its carriers. Carriers are asked about each waiting message before it is
 * submitted. Calls are marked only when they are dialled, and confirmations when a reply is reported again: see `addDoubts`.
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
  const doubted = await tx.run(doubtAcceptedStatement);
  const asked = await queueOf(tx).askLeased(tx, { now, giveUpAt: now + patienceMs, leasesEndAfter });
  // a message without a carrier is looked up later, if its tenant has a carrier by then
  await tx.run(
    `UPDATE messages SET status = 'SENDING', updated_at = $1,
            provider = CASE WHEN d.carrier LIKE '${NO_CARRIER}-%' THEN NULL ELSE COALESCE(d.carrier, messages.provider) END
       FROM dispatches d
      WHERE d.message_id = messages.message_id AND d.state IN ('waiting', 'ready') AND messages.status = 'QUEUED'`,
    now,
  );
  const lives = "lease_token IS NOT NULL AND due_at > $1";
  // a message that is still QUEUED was accepted after the restoration and has just been claimed by another instance
  const again = await tx.run(
    `UPDATE dispatches SET state = 'reconciling', lease_token = NULL, asks = 0, due_at = $2, give_up_at = $3
      WHERE state <> 'awaiting' AND NOT (${lives})
        AND (SELECT status FROM messages m WHERE m.message_id = dispatches.message_id) <> 'QUEUED'`,
    leasesEndAfter,
    now,
    now + patienceMs,
  );
  // the lease holder may be about to submit the message, so it is looked up when the lease has expired
  await tx.run(`UPDATE dispatches SET state = 'handed-over' WHERE state = 'submitting' AND ${lives}`, leasesEndAfter);
  await tx.run("DELETE FROM suspected_messages");
  return { messages: doubted + asked + again, ...(await beginUnasked(tx, now)) };
}

/** Marks pending payments and speeches as already handed over, so that their services are asked about them first. */
export async function beginUnasked(tx: Transaction, now: number): Promise<Omit<Doubts, "messages">> {
  // without its job a payment is never handed over: it waits for the operator
  const payments = await tx.run(
    `UPDATE payments SET begun_at = $1 WHERE status = 'PENDING' AND begun_at IS NULL
        AND payment_id IN (SELECT subject FROM jobs WHERE kind = $2)`,
    now,
    SUBMIT_PAYMENT,
  );
  // the processor may have got the request at any time since
  await tx.run(
    `UPDATE payments SET requested_at = created_at
      WHERE status = 'PENDING' AND begun_at IS NOT NULL AND requested_at IS NULL`,
  );
  const speeches = await tx.run("UPDATE speech_assets SET has_begun = 1, asks = 0 WHERE status = 'PENDING'");
  return { payments, speeches };
}

/** Schedules look-ups of messages that carriers already have: their later reports may be lost. Returns the number. */
export function askAgain(tx: Transaction, { now, patienceMs }: RestorationStart): Promise<number> {
  return tx.run(
    `UPDATE dispatches SET state = 'reconciling', asks = 0, due_at = $1 + $2 * ordinal, give_up_at = $3
       FROM (SELECT message_id AS had, ROW_NUMBER() OVER (ORDER BY message_id) AS ordinal
               FROM dispatches WHERE state = 'awaiting') AS ordinals
      WHERE message_id = had`,
    now,
    SPACING_MS,
    now + patienceMs,
  );
}

/**
 * Report of `msgd verify` on a database that may be behind its carriers: since when, and how many objects are still in
 * doubt.
 */
export interface Restoration {
  /** Epoch milliseconds. */
  readonly restoredAt: number;
  readonly messages: number;
  readonly calls: number;
  readonly payments: number;
}

/** Finds the last time at which the database may have been behind a carrier; undefined if it never was. */
export function findRestoration(tx: Transaction): Promise<Restoration | undefined> {
  return tx.get<Restoration>(
    `SELECT r.restored_at AS "restoredAt",
            (SELECT COUNT(*) FROM doubts) + (SELECT COUNT(DISTINCT message_id) FROM suspected_messages)
              + (SELECT COUNT(*) FROM dispatches d JOIN messages m ON m.message_id = d.message_id
                  WHERE d.state = 'reconciling' AND d.message_id <= r.last_message_id AND m.status = 'SENDING') AS messages,
            (SELECT COUNT(*) FROM tts_calls c WHERE c.request_id <= r.last_request_id
                AND c.status IN ('QUEUED', 'SCHEDULED', 'SYNTHESIZING')) AS calls,
            (SELECT COUNT(*) FROM payments WHERE status = 'PENDING' AND begun_at = r.restored_at) AS payments
       FROM (SELECT restored_at, last_request_id, last_message_id FROM restorations
             UNION ALL SELECT suspected_at, last_request_id, last_message_id FROM suspicions) AS r
      ORDER BY r.restored_at DESC LIMIT 1`,
  );
}

/** Finds the newest message up to which the database and the carrier agree, or were reconciled. */
export function findCarrierMark(tx: Transaction, provider: string): Promise<string | undefined> {
  return findValue<string>(tx, `SELECT message_id AS "messageId" FROM carrier_marks WHERE provider = $1`, provider);
}

export async function saveCarrierMark(tx: Transaction, provider: string, messageId: string): Promise<void> {
  await tx.run(
    `INSERT INTO carrier_marks (provider, message_id) VALUES ($1, $2)
     ON CONFLICT (provider) DO UPDATE SET message_id = excluded.message_id`,
    provider,
    messageId,
  );
}

const standingStatement = toQueueText(
  ({ status, join }) => `
    SELECT ${status} AS status, (SELECT d.state FROM dispatches d WHERE d.message_id = m.message_id) AS state
      FROM messages m ${join} WHERE m.message_id = $1`,
);

/**
 * Returns whether, according to the database, a carrier has or may have the message. False for a message that waits for
 * its first or another attempt, and for one that the database does not have.
 */
export async function isSubmitted(tx: Transaction, messageId: string): Promise<boolean> {
  const row = await tx.get<{ status: string; state: string | null }>(standingStatement, messageId);
  return row !== undefined && row.status !== "QUEUED" && row.state !== "waiting" && row.state !== "ready";
}

/** Ends all sessions and password links: the backup may contain some that have since been ended or used. */
export async function endSessionsAndLinks(tx: Transaction): Promise<void> {
  await tx.run("DELETE FROM sessions");
  await tx.run("UPDATE users SET link_hash = NULL, link_expires_at = NULL WHERE link_hash IS NOT NULL");
}

const messageStatus = "(SELECT status FROM messages m WHERE m.message_id = dispatches.message_id)";

// locks the rows: if another transaction claims a message meanwhile, its commit removes the message from the selection
const suspectAcceptedStatement = toQueueText(
  ({ accepted }) => `
  INSERT INTO suspected_messages (message_id, carrier)
  SELECT message_id, $1 FROM (${accepted}) AS accepted WHERE TRUE ORDER BY message_id FOR UPDATE
  ON CONFLICT (message_id, carrier) DO NOTHING`,
);

/**
 * Records that a carrier could not list its latest messages. The carrier is asked about each of its waiting messages
 * before that is submitted. Other carriers are not affected.
 */
export async function beginSuspicion(
  tx: Transaction,
  carrier: string,
  { now, patienceMs }: Pick<RestorationStart, "now" | "patienceMs">,
): Promise<Doubts> {
  await tx.run(
    `INSERT INTO suspicions (carrier, suspected_at, last_request_id, last_message_id)
     SELECT $1, CAST($2 AS BIGINT), COALESCE((SELECT MAX(request_id) FROM tts_calls), 0),
            COALESCE((SELECT MAX(message_id) FROM messages), '') WHERE TRUE
     ON CONFLICT (carrier) DO UPDATE SET suspected_at = excluded.suspected_at,
       last_request_id = excluded.last_request_id, last_message_id = excluded.last_message_id`,
    carrier,
    now,
  );
  const accepted = await tx.run(suspectAcceptedStatement, carrier);
  await tx.run(
    `UPDATE messages SET status = 'SENDING', provider = $1, updated_at = $2 FROM dispatches d
      WHERE d.message_id = messages.message_id AND d.state = 'waiting' AND d.carrier = $1`,
    carrier,
    now,
  );
  // a leased message is looked up when its lease expires, unless its holder reports first. A message that is still QUEUED
  // was accepted after the suspicion and has just been claimed by another instance
  const asked = await tx.run(
    `UPDATE dispatches SET state = 'reconciling', asks = 0, due_at = $2, give_up_at = $3
      WHERE ${messageStatus} = 'SENDING' AND ((state = 'waiting' AND carrier = $1)
         OR (state = 'ready' AND (SELECT provider FROM messages m WHERE m.message_id = dispatches.message_id) = $1))`,
    carrier,
    now,
    now + patienceMs,
  );
  const putOff = await tx.run(
    `INSERT INTO suspected_messages (message_id, carrier)
     SELECT message_id, $1 FROM dispatches
      WHERE state = 'ready' AND ${messageStatus} = 'QUEUED' FOR UPDATE
     ON CONFLICT (message_id, carrier) DO NOTHING`,
    carrier,
  );
  return { messages: accepted + asked + putOff, ...(await beginUnasked(tx, now)) };
}
