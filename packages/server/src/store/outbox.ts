// Messages that somebody still has to look after: to submit, to ask the provider about, or to give up on.

import { type MessageProgress, progressColumns } from "./message-progress.ts";
import type { Transaction } from "./store.ts";

/**
 * ready: to be submitted. submitting: a lease holder may be at the provider with it. reconciling: it may or may not
 * have been taken, so the provider is asked. awaiting: taken, its final receipt outstanding.
 */
export type OutboxState = "ready" | "submitting" | "reconciling" | "awaiting";

/** A due row with what a submission needs of its message. */
export interface OutboxRow extends MessageProgress {
  readonly state: OutboxState;
  readonly dueAt: number;
  /** How often the provider was asked without an answer. */
  readonly asks: number;
  /** Null until the message is submitted first; from then on it is looked after no longer than this. */
  readonly giveUpAt: number | null;
  readonly type: "OTP" | "REMINDER" | "MARKETING" | "TRANSACTIONAL";
  readonly createdAt: number;
  readonly subject: string | null;
  readonly content: string;
}

/** Puts an accepted message in line, to be submitted at `dueAt`. In the transaction that inserts the message. */
export function enqueueMessage(tx: Transaction, row: { messageId: string; dueAt: number }): Promise<number> {
  return tx.run(
    "INSERT INTO outbox (message_id, state, due_at, asks) VALUES ($1, 'ready', $2, 0)",
    row.messageId,
    row.dueAt,
  );
}

/** Rows due by `now`, longest due first, held for update and passing over what another transaction holds. */
export function listDue(tx: Transaction, now: number, limit: number): Promise<OutboxRow[]> {
  return tx.all<OutboxRow>(
    `SELECT ${progressColumns}, o.state, o.due_at AS "dueAt", o.asks, o.give_up_at AS "giveUpAt",
            m.type, m.created_at AS "createdAt", m.subject, m.content
       FROM outbox o JOIN messages m ON m.message_id = o.message_id
      WHERE o.due_at <= $1 ORDER BY o.due_at, o.message_id LIMIT $2 FOR UPDATE OF o SKIP LOCKED`,
    now,
    limit,
  );
}

/** When the next row falls due; undefined when there is none. */
export async function findNextDue(tx: Transaction): Promise<number | undefined> {
  const row = await tx.get<{ dueAt: number | null }>(`SELECT MIN(due_at) AS "dueAt" FROM outbox`);
  return row?.dueAt ?? undefined;
}

/** Takes a due row until `expiresAt`. Whoever records its outcome must show the token. */
export async function leaseOutbox(
  tx: Transaction,
  lease: {
    messageId: string;
    state: "submitting" | "reconciling";
    token: string;
    expiresAt: number;
    giveUpAt: number;
  },
): Promise<void> {
  await tx.run(
    "UPDATE outbox SET state = $2, lease_token = $3, due_at = $4, give_up_at = $5 WHERE message_id = $1",
    lease.messageId,
    lease.state,
    lease.token,
    lease.expiresAt,
    lease.giveUpAt,
  );
}

/** Ends the lease and says what comes next. False, with nothing changed, when the lease is no longer the token's. */
export async function releaseOutbox(
  tx: Transaction,
  next: { messageId: string; token: string; state: Exclude<OutboxState, "submitting">; dueAt: number; asks: number },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE outbox SET state = $3, due_at = $4, asks = $5, lease_token = NULL
      WHERE message_id = $1 AND lease_token = $2`,
    next.messageId,
    next.token,
    next.state,
    next.dueAt,
    next.asks,
  );
  return changed > 0;
}

/** Ends the lease of a message that needs nothing more. False when the lease is no longer the token's. */
export async function finishLeased(tx: Transaction, messageId: string, token: string): Promise<boolean> {
  return (await tx.run("DELETE FROM outbox WHERE message_id = $1 AND lease_token = $2", messageId, token)) > 0;
}

/** Takes a message out of line, whoever holds it: its final state is known, and every lease on it void. */
export async function removeFromOutbox(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM outbox WHERE message_id = $1", messageId);
}

/** Makes every lease due at `now`: for a process that knows whoever held them to be dead. */
export async function expireLeases(tx: Transaction, now: number): Promise<void> {
  await tx.run("UPDATE outbox SET due_at = $1 WHERE lease_token IS NOT NULL AND due_at > $1", now);
}

/** Waits for the final receipt of a message that the provider turned out to have taken; every lease on it is void. */
export async function awaitReceipt(tx: Transaction, messageId: string): Promise<void> {
  await tx.run(
    "UPDATE outbox SET state = 'awaiting', due_at = give_up_at, lease_token = NULL WHERE message_id = $1",
    messageId,
  );
}
