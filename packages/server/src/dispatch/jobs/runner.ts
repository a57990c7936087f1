// Runs steps when they fall due, each in one unit of work with what it does: a step is done once, or not at all.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { findNextJobDue, listDueJobs, rescheduleJob, takeJob } from "../../store/jobs.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { type Claim, LeaseLoop } from "../lease-loop.ts";

export interface JobContext {
  readonly tx: Transaction;
  /** In whose line the step stood, and those stand that follow from it. */
  readonly tenantId: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * What a step leaves to others once it is committed: `dispatch` a message in line, `calls` perhaps also speech to make; a
 * function is called, and sees to its own end.
 */
export type JobEffect = "dispatch" | "calls" | (() => void) | undefined;

/** Does a step about `subject`. Steps that follow from it are scheduled by it. Its throw undoes it, and puts it off. */
export type JobHandler = (context: JobContext, subject: string) => Promise<JobEffect> | Promise<void>;

export interface JobRunner {
  start(): void;
  /** Says that a commit has scheduled a step. */
  notify(): void;
  /** Whether it is at work now, rather than waiting for the clock. */
  isBusy(): boolean;
  /** Takes nothing more, and waits for the steps under way. */
  stop(): Promise<void>;
}

/** Steps that are run at once. What else is done in the background waits behind them, 2 ms a step, and takes its turn. */
const LARGEST_ROUND = 16;
/** How long after it failed a step is tried again. */
const RETRY_MS = 30_000;

/** Ids of steps that are run at once. */
type Round = readonly number[];

/** Makes a runner. Any number of them may share a store. */
export function createJobRunner(options: {
  store: Store;
  clock: Clock;
  logger: Logger;
  handlers: Readonly<Record<string, JobHandler>>;
  notifyDispatcher: () => void;
  notifySynthesizer: () => void;
  /** Told after each round, as any step may add a callback. */
  notifyCallbacks: () => void;
}): JobRunner {
  const { store, clock, logger, handlers, notifyDispatcher, notifySynthesizer, notifyCallbacks } = options;
  // a round is a task: the steps listed next must not be those that are still to be taken
  const loop = new LeaseLoop<Round>({
    clock,
    countRoom: (underWay) => 1 - underWay,
    claim: listDue,
    perform: runAll,
    onError: (error) =>
      logger.error({ err: error }, "steps that are due could not be read or put off; they are tried again"),
    retryMs: RETRY_MS,
  });
  let lastTenant: number | undefined;

  async function listDue(): Promise<Claim<Round>> {
    const due = await store.read((tx) => listDueJobs(tx, { now: clock.now(), limit: LARGEST_ROUND, lastTenant }));
    lastTenant = due.lastTenant;
    if (due.jobIds.length > 0) return { tasks: [due.jobIds], isMoreDue: false, nextDueAt: undefined };
    return { tasks: [], isMoreDue: false, nextDueAt: await store.read(findNextJobDue) };
  }

  async function runAll(jobIds: Round): Promise<void> {
    // all are waited for: one that the store did not even put off must not leave the others behind
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
        if (job === undefined) return undefined;
        const handle = handlers[job.kind];
        if (handle === undefined) throw new Error(`nothing handles a step of kind ${job.kind}`);
        return handle({ tx, tenantId: job.tenantId, now }, job.subject);
      });
      if (typeof effect === "function") effect();
      else if (effect !== undefined) notifyDispatcher();
      if (effect === "calls") notifySynthesizer();
    } catch (error) {
      logger.error({ err: error, jobId }, "a step failed; it is tried again");
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
