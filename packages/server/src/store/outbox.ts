// Messages that somebody still has to look after: to submit, to ask the provider about, or to give up on. Accepted ones are
// those QUEUED, which an index of their own holds, so that accepting costs no statement; once taken up they are in `dispatches`.

import type { Schemas } from "@msgctl/contract";
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
  /** Null until the message is taken up first; from then on it is looked after no longer than this. */
  readonly giveUpAt: number | null;
  /** Submissions begun. */
  readonly attempts: number;
  /** Whether a carrier may have been given the message before the database was put back: see store/restorations.ts. */
  readonly isDoubted: 0 | 1;
  readonly type: Schemas["MessageType"];
  readonly subject: string | null;
  /** Empty where it is long, and lies apart. */
  readonly content: string;
  /** How long it is where it lies apart; else null. */
  readonly longBytes: number | null;
}

const contentColumns = `${progressColumns}, m.type, m.subject, m.content, m.long_bytes AS "longBytes", m.attempts`;

/** What is to be asked, and all else that was taken up, each by an index of its own. */
const isQuestion = "state = 'reconciling'";
const isNoQuestion = "state <> 'reconciling'";

const dueStatement = (condition: string) => `
  SELECT ${contentColumns}, d.state, d.due_at AS "dueAt", d.asks, d.give_up_at AS "giveUpAt",
         0 AS "isDoubted"
    FROM dispatches d JOIN messages m ON m.message_id = d.message_id
   WHERE d.${condition} AND d.due_at <= $1 ORDER BY d.due_at, d.message_id LIMIT $2 FOR UPDATE OF d SKIP LOCKED`;
const dueQuestionsStatement = dueStatement(isQuestion);
const dueDispatchesStatement = dueStatement(isNoQuestion);
const nextDueStatement = (condition: string) => `SELECT MIN(due_at) AS "dueAt" FROM dispatches WHERE ${condition}`;

// ids sort by time, so of equals the oldest comes first
const acceptedStatement = `
  SELECT ${contentColumns}, 'ready' AS state, m.created_at AS "dueAt", 0 AS asks, NULL AS "giveUpAt",
         EXISTS (SELECT 1 FROM doubts x WHERE x.message_id = m.message_id) AS "isDoubted"
    FROM messages m WHERE m.status = 'QUEUED' AND m.queue_order IS NOT NULL
   ORDER BY m.queue_order, m.message_id LIMIT $1 FOR UPDATE SKIP LOCKED`;

/**
 * Up to `limit` rows due by `now` that nobody has to be asked about, those taken up before first, then the longest
 * accepted. Held for update.
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

/** When the next row of `listDue` falls due; undefined when there is none. */
export async function findNextDue(tx: Transaction): Promise<number | undefined> {
  const accepted = await tx.get<{ dueAt: number }>(
    `SELECT created_at AS "dueAt" FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
      ORDER BY queue_order, message_id LIMIT 1`,
  );
  const dispatch = await tx.get<{ dueAt: number | null }>(nextDueStatement(isNoQuestion));
  const dues = [accepted?.dueAt, dispatch?.dueAt].filter((dueAt) => typeof dueAt === "number");
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** When the next row of `listDueQuestions` falls due; undefined when there is none. */
export async function findNextQuestionDue(tx: Transaction): Promise<number | undefined> {
  const question = await tx.get<{ dueAt: number | null }>(nextDueStatement(isQuestion));
  return question?.dueAt ?? undefined;
}

/** Has a provider asked about a message at the next opportunity; what holds a lease on it holds it no more. */
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

/** Takes a due row until `expiresAt`. Whoever records its outcome must show the token. */
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

/** Ends the lease and says what comes next. False, with nothing changed, when the lease is no longer the token's. */
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

/** Ends the lease of a message that needs nothing more. False when the lease is no longer the token's. */
export async function finishLeased(tx: Transaction, messageId: string, token: string): Promise<boolean> {
  return (await tx.run("DELETE FROM dispatches WHERE message_id = $1 AND lease_token = $2", messageId, token)) > 0;
}

/** Takes a message out of line, whoever holds it: its final state is known, and every lease on it void. */
export async function removeFromOutbox(tx: Transaction, messageId: string): Promise<void> {
  await tx.run("DELETE FROM dispatches WHERE message_id = $1", messageId);
}

/** Makes every lease due at `now`: for a process that knows whoever held them to be dead. */
export async function expireLeases(tx: Transaction, now: number): Promise<void> {
  for (const condition of [isQuestion, isNoQuestion]) {
    await tx.run(
      `UPDATE dispatches SET due_at = $1 WHERE ${condition} AND lease_token IS NOT NULL AND due_at > $1`,
      now,
    );
  }
}

/** Waits for the final receipt of a message that the provider turned out to have taken; every lease on it is void. */
export async function awaitReceipt(tx: Transaction, messageId: string): Promise<void> {
  await tx.run(
    "UPDATE dispatches SET state = 'awaiting', due_at = give_up_at, lease_token = NULL WHERE message_id = $1",
    messageId,
  );
}
