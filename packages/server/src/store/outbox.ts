// Messages still to be dispatched: to submit, to ask the provider about, or to give up on. Accepted ones are those
// QUEUED, in an index of their own, so that accepting costs no statement; once claimed they are in `dispatches`.
// Whatever changes a message holds it first, then its dispatch, then the quota that it is charged to: in this order no
// two wait for each other.

import type { Schemas } from "@msgctl/contract";
import { type MessageProgress, progressColumns } from "./message-progress.ts";
import type { Transaction } from "./store.ts";

/**
 * ready: to be submitted. submitting: a lease holder may be at the provider with it. reconciling: it may or may not
 * have been taken, so the provider is asked. awaiting: taken, its final receipt outstanding.
 */
export type OutboxState = "ready" | "submitting" | "reconciling" | "awaiting";

/** A due row with the columns of its message that a submission needs. */
export interface OutboxRow extends MessageProgress {
  readonly state: OutboxState;
  readonly dueAt: number;
  /** How often the provider was asked without an answer. */
  readonly asks: number;
  /** When dispatch gives the message up; null until it is first claimed. */
  readonly giveUpAt: number | null;
  /** Submissions begun. */
  readonly attempts: number;
  /** Whether a carrier may have been given the message before the database was restored: see store/restorations.ts. */
  readonly isDoubted: 0 | 1;
  readonly type: Schemas["MessageType"];
  readonly subject: string | null;
  /** Empty if it is long, and stored apart. */
  readonly content: string;
  /** Its length in bytes if it is stored apart; else null. */
  readonly longBytes: number | null;
}

const contentColumns = `${progressColumns}, m.type, m.subject, m.content, m.long_bytes AS "longBytes", m.attempts`;

/** Questions, and everything else that was claimed, each with an index of its own. */
const isQuestion = "state = 'reconciling'";
const isNoQuestion = "state <> 'reconciling'";

const dueStatement = (condition: string) => `
  SELECT ${contentColumns}, d.state, d.due_at AS "dueAt", d.asks, d.give_up_at AS "giveUpAt",
         0 AS "isDoubted"
    FROM dispatches d JOIN messages m ON m.message_id = d.message_id
   WHERE d.${condition} AND d.due_at <= $1 ORDER BY d.due_at, d.message_id LIMIT $2 FOR UPDATE SKIP LOCKED`;
const dueQuestionsStatement = dueStatement(isQuestion);
const dueDispatchesStatement = dueStatement(isNoQuestion);
const nextDueStatement = (condition: string) => `SELECT MIN(due_at) AS "dueAt" FROM dispatches WHERE ${condition}`;

// ids sort by time, so the oldest of equals comes first
const acceptedStatement = `
  SELECT ${contentColumns}, 'ready' AS state, m.created_at AS "dueAt", 0 AS asks, NULL AS "giveUpAt",
         EXISTS (SELECT 1 FROM doubts x WHERE x.message_id = m.message_id) AS "isDoubted"
    FROM messages m WHERE m.status = 'QUEUED' AND m.queue_order IS NOT NULL
   ORDER BY m.queue_order, m.message_id LIMIT $1 FOR UPDATE SKIP LOCKED`;

/**
 * Up to `limit` rows due by `now` other than questions: those claimed before come first, then the longest accepted.
 * Held for update.
 */
export async function listDue(tx: Transaction, now: number, limit: number): Promise<OutboxRow[]> {
  const dispatches = await tx.all<OutboxRow>(dueDispatchesStatement, now, limit);
  if (dispatches.length === limit) return dispatches;
  return dispatches.concat(await tx.all<OutboxRow>(acceptedStatement, limit - dispatches.length));
}

/** Up to `limit` rows due by `now` that a provider is to be asked about. Held for update. */
export function listDueQuestions(tx: Transaction, now: number, limit: number): Promise<OutboxRow[]> {
  return tx.all<OutboxRow>(dueQuestionsStatement, now, limit);
}

/** When the next row of `listDue` falls due; undefined if there is none. */
export async function findNextDue(tx: Transaction): Promise<number | undefined> {
  const accepted = await tx.get<{ dueAt: number }>(
    `SELECT created_at AS "dueAt" FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
      ORDER BY queue_order, message_id LIMIT 1`,
  );
  const dispatch = await tx.get<{ dueAt: number | null }>(nextDueStatement(isNoQuestion));
  const dues = [accepted?.dueAt, dispatch?.dueAt].filter((dueAt) => typeof dueAt === "number");
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** When the next row of `listDueQuestions` falls due; undefined if there is none. */
export async function findNextQuestionDue(tx: Transaction): Promise<number | undefined> {
  const question = await tx.get<{ dueAt: number | null }>(nextDueStatement(isQuestion));
  return question?.dueAt ?? undefined;
}

/** Queues a question to the provider about a message; any lease on it is void. */
export async function queueQuestion(
  tx: Transaction,
  question: { messageId: string; tenantId: number; acceptedAt: number; dueAt: number; giveUpAt: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at)
     VALUES ($1, 'reconciling', NULL, $2, $3, 0, $4, $5)
     ON CONFLICT (message_id) DO UPDATE SET state = excluded.state, lease_token = NULL`,
    question.messageId,
    question.dueAt,
    question.giveUpAt,
    question.tenantId,
    question.acceptedAt,
  );
}

/** Leases a due row until `expiresAt`. Recording its outcome requires the token. */
export async function leaseOutbox(
  tx: Transaction,
  lease: {
    messageId: string;
    tenantId: number;
    acceptedAt: number;
    state: "submitting" | "reconciling";
    token: string;
    expiresAt: number;
    giveUpAt: number;
  },
): Promise<void> {
  await tx.run(
    `INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at)
     VALUES ($1, $2, $3, $4, $5, 0, $6, $7)
     ON CONFLICT (message_id) DO UPDATE SET state = excluded.state, lease_token = excluded.lease_token,
       due_at = excluded.due_at, give_up_at = excluded.give_up_at`,
    lease.messageId,
    lease.state,
    lease.token,
    lease.expiresAt,
    lease.giveUpAt,
    lease.tenantId,
    lease.acceptedAt,
  );
}

/** Ends the lease and sets what comes next. Returns false, with nothing changed, if the lease is not the token's. */
export async function releaseOutbox(
  tx: Transaction,
  next: { messageId: string; token: string; state: Exclude<OutboxState, "submitting">; dueAt: number; asks: number },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE dispatches SET state = $3, due_at = $4, asks = $5, lease_token = NULL
      WHERE message_id = $1 AND lease_token = $2`,
    next.messageId,
    next.token,
    next.state,
    next.dueAt,
    next.asks,
  );
  return changed > 0;
}

/** Ends the lease of a message that needs nothing more. Returns false if the lease is no longer the token's. */
export async function finishLeased(tx: Transaction, messageId: string, token: string): Promise<boolean> {
  return (await tx.run("DELETE FROM dispatches WHERE message_id = $1 AND lease_token = $2", messageId, token)) > 0;
}

/** Removes a message whose final state is known from the outbox; any lease on it is void. */
export async function removeFromOutbox(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM dispatches WHERE message_id = $1", messageId);
}

/** Makes every lease due at `now`, when their holders are known to be dead. */
export async function expireLeases(tx: Transaction, now: number): Promise<void> {
  for (const condition of [isQuestion, isNoQuestion]) {
    await tx.run(
      `UPDATE dispatches SET due_at = $1 WHERE ${condition} AND lease_token IS NOT NULL AND due_at > $1`,
      now,
    );
  }
}

/** Awaits the final receipt of a message that the provider turned out to have taken; any lease on it is void. */
export async function awaitReceipt(tx: Transaction, messageId: string): Promise<void> {
  await tx.run(
    "UPDATE dispatches SET state = 'awaiting', due_at = give_up_at, lease_token = NULL WHERE message_id = $1",
    messageId,
  );
}
