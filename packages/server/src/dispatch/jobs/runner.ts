// Runs due jobs, each in one transaction together with its effects. So a job takes effect exactly once or not at all.

import { BEGIN_CALLS, SPEECH_SETTLED } from "../../domain/calls/progress.ts";
import { PATIENCE_MS } from "../../domain/messages/rules.ts";
import { CLOCK_FAULT_MS } from "../../platform/clock.ts";
import { reached, sometimes } from "../../platform/probes.ts";
import { systemRandomness } from "../../platform/randomness.ts";
import { bringBackJobs, findNextJobDue, listDueJobs, rescheduleJob, takeJob } from "../../store/jobs.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { type Claim, LeaseLoop, type WorkerOptions } from "../lease-loop.ts";

export interface JobContext {
  readonly tx: Transaction;
  /** The tenant in whose queue the job and its follow-up jobs are. */
  readonly tenantId: number;
  /** In epoch milliseconds. */
  readonly now: number;
}

/**
 * Effect of a committed job. `dispatch`: it queued a message. `calls`: it may also have requested speech. A function is
 * called but not awaited.
 */
export type JobEffect = "dispatch" | "calls" | (() => void) | undefined;

/** Runs a job on `subject` and schedules its follow-up jobs. If it throws, the job is rolled back and retried later. */
export type JobHandler = (context: JobContext, subject: string) => Promise<JobEffect> | Promise<void>;

export interface JobRunner {
  start(): void;
  /** Signals that a commit has scheduled a job. */
  notify(): void;
  /** Whether the runner is working rather than waiting for the clock. */
  isBusy(): boolean;
  /** Stops taking jobs, and waits for the running ones. */
  stop(): Promise<void>;
}

export interface JobRunnerOptions extends WorkerOptions {
  readonly handlers: Readonly<Record<string, JobHandler>>;
  readonly notifyDispatcher: () => void;
  readonly notifySynthesizer: () => void;
  /** Called after each round, because any job may add a callback. */
  readonly notifyCallbacks: () => void;
}

/** Maximum number of jobs that run at once. Other background work waits for them. */
const LARGEST_ROUND = 16;
/** Delay before a failed job is retried. */
const RETRY_MS = 30_000;

/** Ids of the jobs of one round. */
type Round = readonly number[];

/** Creates a job runner. Any number of runners may share a store. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { store, clock, randomness = systemRandomness, logger, handlers, pollIntervalMs, trustsClock } = options;
  const { notifyDispatcher, notifySynthesizer, notifyCallbacks } = options;
  // a round is one task of the loop, so that the next round is listed only after this round has taken its jobs
  const loop = new LeaseLoop<Round>({
    clock,
    randomness,
    countRoom: (underWay) => 1 - underWay,
    claim: listDue,
    perform: runAll,
    onError: (error) => logger.error({ err: error }, "failed to read or postpone due jobs; retrying"),
    retryMs: RETRY_MS,
    pollIntervalMs,
    trustsClock,
  });
  let lastTenant: number | undefined;

  async function listDue(): Promise<Claim<Round>> {
    const limit = sometimes("a round is of one job") ? 1 : LARGEST_ROUND;
    const due = await store.read((tx) => listDueJobs(tx, { now: clock.now(), limit, lastTenant }));
    lastTenant = due.lastTenant;
    if (due.jobIds.length > 0) return { tasks: [due.jobIds], isMoreDue: false, nextDueAt: undefined };
    return { tasks: [], isMoreDue: false, nextDueAt: await store.read(findNextJobDue) };
  }

  async function runAll(jobIds: Round): Promise<void> {
    // if even postponing a job fails, the other jobs must still be handled
    const ended = await Promise.allSettled(jobIds.map(run));
    notifyCallbacks();
    const lost = ended.find((end) => end.status === "rejected");
    if (lost !== undefined) throw lost.reason;
    loop.notify();
  }

  async function run(jobId: number): Promise<void> {
    try {
      const effect = await store.write(async (tx) => {
        const now = clock.now();
        const job = await takeJob(tx, jobId, now);
        if (job === undefined) {
          reached("a job was taken by another process");
          return undefined;
        }
        const handle = handlers[job.kind];
        if (handle === undefined) throw new Error(`no handler for jobs of kind ${job.kind}`);
        return handle({ tx, tenantId: job.tenantId, now }, job.subject);
      });
      if (typeof effect === "function") effect();
      else if (effect !== undefined) notifyDispatcher();
      if (effect === "calls") notifySynthesizer();
    } catch (error) {
      reached("a job failed");
      logger.error({ err: error, jobId }, "a job failed; retrying");
      await store.write((tx) => rescheduleJob(tx, jobId, clock.now() + RETRY_MS));
    }
  }

  return {
    start: () => loop.start(),
    notify: () => loop.notify(),
    isBusy: () => loop.isClaiming || loop.underWay > 0,
    async stop() {
      await loop.stop();
      await loop.finish();
    },
  };
}

/** Jobs of calls that wait for the morning. If these jobs ran early, the calls would ring at night. */
const WAIT_FOR_MORNING = [BEGIN_CALLS, SPEECH_SETTLED];

/**
 * Makes jobs due now if a fast clock scheduled them too far ahead. All kinds except `WAIT_FOR_MORNING` may run early. A
 * correct clock schedules no job further ahead than `PATIENCE_MS`, the time after which an unfinished batch is given up.
 */
export async function bringBackFarJobs(store: Store, now: number): Promise<void> {
  const latest = now + PATIENCE_MS + CLOCK_FAULT_MS;
  await store.write((tx) => bringBackJobs(tx, { kinds: WAIT_FOR_MORNING, latest, now }));
}
