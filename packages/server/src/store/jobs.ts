// Steps that fall due at a time: a review that ends, a payment that settles, a call whose hour has come.

import type { Transaction } from "./store.ts";

export interface Job {
  readonly jobId: number;
  /** Names the step's handler. */
  readonly kind: string;
  /** What the step is about, as its handler writes it: an id, or JSON. */
  readonly subject: string;
}

/** When a step is due that somebody waits for: before all that waited for a time, a morning's calls above all. */
export const FIRST_IN_LINE = 0;

/** Puts a step in line, in the transaction that makes it necessary, and returns its id. */
export async function scheduleJob(
  tx: Transaction,
  job: { kind: string; subject: string; dueAt: number },
): Promise<number> {
  const row = await tx.get<{ jobId: number }>(
    `INSERT INTO jobs (kind, subject, due_at) VALUES ($1, $2, $3) RETURNING job_id AS "jobId"`,
    job.kind,
    job.subject,
    job.dueAt,
  );
  if (row === undefined) throw new Error("a step was put in line without an id");
  return row.jobId;
}

/** Steps due by `now`, the longest due first. */
export function listDueJobs(tx: Transaction, now: number, limit: number): Promise<{ jobId: number }[]> {
  return tx.all(`SELECT job_id AS "jobId" FROM jobs WHERE due_at <= $1 ORDER BY due_at, job_id LIMIT $2`, now, limit);
}

/** Takes a due step out of line for this transaction; undefined when another has taken or put it off. */
export function takeJob(tx: Transaction, jobId: number, now: number): Promise<Job | undefined> {
  return tx.get<Job>(
    `DELETE FROM jobs WHERE job_id = $1 AND due_at <= $2 RETURNING job_id AS "jobId", kind, subject`,
    jobId,
    now,
  );
}

/** Takes a step out of line that is not needed any more. False where it was not there. */
export async function cancelJob(tx: Transaction, jobId: number): Promise<boolean> {
  return (await tx.run("DELETE FROM jobs WHERE job_id = $1", jobId)) > 0;
}

/** Has a step fall due at another time than it was put in line for. */
export async function rescheduleJob(tx: Transaction, jobId: number, dueAt: number): Promise<void> {
  await tx.run("UPDATE jobs SET due_at = $2 WHERE job_id = $1", jobId, dueAt);
}

/** When the next step falls due; undefined when there is none. */
export async function findNextJobDue(tx: Transaction): Promise<number | undefined> {
  const row = await tx.get<{ dueAt: number | null }>(`SELECT MIN(due_at) AS "dueAt" FROM jobs`);
  return row?.dueAt ?? undefined;
}
