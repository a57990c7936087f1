// Jobs, which fall due at a set time: the end of a review, the settlement of a payment, a scheduled call.

import { listParameters } from "./batching.ts";
import { findValue, listValues, type Transaction } from "./store.ts";

export interface Job {
  readonly jobId: number;
  /** The tenant whose queue the job was in. */
  readonly tenantId: number;
  /** Names the job's handler. */
  readonly kind: string;
  /** The subject of the job, as its handler writes it: an id, or JSON. */
  readonly subject: string;
}

/**
 * The due time of an urgent job, for which a caller waits. `listDueJobs` gives a tenant's urgent jobs half of its share,
 * before the scheduled ones.
 */
export const FIRST_IN_QUEUE = 0;
/** The tenant id of jobs that belong to no tenant. */
export const NO_TENANT = 0;

/** Adds a job to its tenant's queue, in the transaction that makes it necessary, and returns its id. */
export async function scheduleJob(
  tx: Transaction,
  job: { tenantId: number; kind: string; subject: string; dueAt: number },
): Promise<number> {
  const row = await tx.get<{ jobId: number }>(
    `INSERT INTO jobs (tenant_id, kind, subject, due_at) VALUES ($1, $2, $3, $4) RETURNING job_id AS "jobId"`,
    job.tenantId,
    job.kind,
    job.subject,
    job.dueAt,
  );
  if (row === undefined) throw new Error("a job was added without an id");
  return row.jobId;
}

/** Maximum number of tenants whose jobs one round lists, and of tenants that it checks to find them. */
const TENANTS_A_ROUND = 8;
const TENANTS_SCANNED = 64;
/** Precedes every tenant id. */
const BEFORE_ALL = NO_TENANT - 1;

/** A round of due jobs, and the tenant after which the next round continues. */
interface Round {
  readonly jobIds: number[];
  /** The last tenant that was served or skipped. */
  readonly lastTenant: number;
}

/**
 * Lists up to `limit` jobs due by `now`. If fewer than `limit` are due, lists all of them, the longest due first.
 * Otherwise continues round-robin by tenant after `lastTenant`; half of a tenant's share goes to its urgent jobs
 * (`FIRST_IN_QUEUE`). Skips jobs that another transaction has locked.
 */
export async function listDueJobs(
  tx: Transaction,
  { now, limit, lastTenant = BEFORE_ALL }: { now: number; limit: number; lastTenant: number | undefined },
): Promise<Round> {
  const oldest = await listValues<number>(
    tx,
    `SELECT job_id AS "jobId" FROM jobs WHERE due_at <= $1 ORDER BY due_at, job_id LIMIT $2 FOR UPDATE SKIP LOCKED`,
    now,
    limit,
  );
  if (oldest.length < limit) return { jobIds: oldest, lastTenant };
  const examined = await scanTenants(tx, now, lastTenant);
  const due = examined.filter(({ isDue }) => isDue).slice(0, TENANTS_A_ROUND);
  const jobIds: number[] = [];
  for (const { tenantId } of due) {
    jobIds.push(...(await listDueJobsOf(tx, tenantId, { now, limit: Math.floor(limit / due.length) })));
  }
  const isCut = due.length === TENANTS_A_ROUND;
  const isOver = !isCut && examined.length < TENANTS_SCANNED;
  const last = isCut ? due.at(-1) : examined.at(-1);
  return {
    jobIds: due.length > 0 ? jobIds : oldest,
    lastTenant: isOver ? BEFORE_ALL : (last?.tenantId ?? BEFORE_ALL),
  };
}

/** Lists the next tenants after `lastTenant` that have jobs, and for each whether a job is due. */
async function scanTenants(
  tx: Transaction,
  now: number,
  lastTenant: number,
): Promise<{ tenantId: number; isDue: boolean }[]> {
  const rows = await tx.all<{ tenantId: number; due: number }>(
    `WITH RECURSIVE walk (tenant_id, examined) AS (
       SELECT (SELECT MIN(tenant_id) FROM jobs WHERE tenant_id > $1), 1
       UNION ALL
       SELECT (SELECT MIN(j.tenant_id) FROM jobs j WHERE j.tenant_id > walk.tenant_id), walk.examined + 1
         FROM walk WHERE walk.tenant_id IS NOT NULL AND walk.examined < $2
     )
     SELECT tenant_id AS "tenantId",
            CASE WHEN EXISTS (SELECT 1 FROM jobs d WHERE d.tenant_id = walk.tenant_id AND d.due_at <= $3)
                 THEN 1 ELSE 0 END AS due
       FROM walk WHERE tenant_id IS NOT NULL ORDER BY tenant_id`,
    lastTenant,
    TENANTS_SCANNED,
    now,
  );
  return rows.map(({ tenantId, due }) => ({ tenantId, isDue: due > 0 }));
}

async function listDueJobsOf(
  tx: Transaction,
  tenantId: number,
  { now, limit }: { now: number; limit: number },
): Promise<number[]> {
  const list = (from: number, to: number) =>
    listValues<number>(
      tx,
      `SELECT job_id AS "jobId" FROM jobs WHERE tenant_id = $1 AND due_at BETWEEN $2 AND $3
        ORDER BY due_at, job_id LIMIT $4 FOR UPDATE SKIP LOCKED`,
      tenantId,
      from,
      to,
      limit,
    );
  const first = await list(FIRST_IN_QUEUE, FIRST_IN_QUEUE);
  const others = await list(FIRST_IN_QUEUE + 1, now);
  const share = Math.max(Math.ceil(limit / 2), limit - others.length);
  return [...first.slice(0, share), ...others].slice(0, limit);
}

const lockStatement = "SELECT job_id FROM jobs WHERE job_id = $1 FOR UPDATE";

/** Locks a job while this transaction decides whether the job is still needed. */
export function lockJob(tx: Transaction, jobId: number): void {
  tx.lock(lockStatement, jobId);
}

/** Removes a due job from the queue and returns it. Undefined if another transaction is taking, has taken or postponed it. */
export async function takeJob(tx: Transaction, jobId: number, now: number): Promise<Job | undefined> {
  if (!(await tx.tryLock(`${lockStatement} SKIP LOCKED`, jobId))) return undefined;
  return tx.get<Job>(
    `DELETE FROM jobs WHERE job_id = $1 AND due_at <= $2 RETURNING job_id AS "jobId", tenant_id AS "tenantId", kind, subject`,
    jobId,
    now,
  );
}

/** Removes a job that is no longer needed. Returns false if the job does not exist. */
export async function cancelJob(tx: Transaction, jobId: number): Promise<boolean> {
  return (await tx.run("DELETE FROM jobs WHERE job_id = $1", jobId)) > 0;
}

/** Changes when a job falls due. Returns false if the job does not exist. */
export async function rescheduleJob(tx: Transaction, jobId: number, dueAt: number): Promise<boolean> {
  return (await tx.run("UPDATE jobs SET due_at = $2 WHERE job_id = $1", jobId, dueAt)) > 0;
}

/** Finds when the next job falls due; undefined if there is none. */
export function findNextJobDue(tx: Transaction): Promise<number | undefined> {
  return findValue<number>(tx, `SELECT MIN(due_at) AS "dueAt" FROM jobs`);
}

/** Makes jobs whose due time is `latest` or later due at `now`, except jobs of `kinds`. */
export async function bringBackJobs(
  tx: Transaction,
  { kinds, latest, now }: { kinds: readonly string[]; latest: number; now: number },
): Promise<void> {
  const others = listParameters(3, kinds);
  await tx.run(`UPDATE jobs SET due_at = $1 WHERE due_at >= $2 AND kind NOT IN (${others})`, now, latest, ...kinds);
}

/** The job that hands a payment to the processor, or asks about one already handed over. Its subject is the payment's id. */
export const SUBMIT_PAYMENT = "payment-submission";
