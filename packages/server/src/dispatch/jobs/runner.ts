// Runs steps when they fall due, each in one unit of work with its effects: a step is done once, or not at all.

import { CLOCK_FAULT_MS, type Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached, sometimes } from "../../platform/probes.ts";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";
import { PATIENCE_MS } from "../../rules/messages.ts";
import { BEGIN_CALLS, SPEECH_SETTLED } from "../../steps/call-progress.ts";
import { bringBackJobs, findNextJobDue, listDueJobs, rescheduleJob, takeJob } from "../../store/jobs.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { type Claim, LeaseLoop } from "../lease-loop.ts";

export interface JobContext {
  readonly tx: Transaction;
  /** The tenant whose queue holds the step and those that follow from it. */
  readonly tenantId: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * What a step leaves to others once it is committed: `dispatch` a queued message, `calls` perhaps also speech to make;
 * a function is called and not awaited.
 */
export type JobEffect = "dispatch" | "calls" | (() => void) | undefined;

/** Performs a step on `subject`, and schedules those that follow. A throw rolls it back, to be retried later. */
export type JobHandler = (context: JobContext, subject: string) => Promise<JobEffect> | Promise<void>;

export interface JobRunner {
  start(): void;
  /** Signals that a commit has scheduled a step. */
  notify(): void;
  /** Whether it is working rather than waiting for the clock. */
  isBusy(): boolean;
  /** Takes nothing more, and waits for the running steps. */
  stop(): Promise<void>;
}

/** Most steps run at once. Other background work waits for them, 2 ms a step, and takes its turn. */
const LARGEST_ROUND = 16;
/** Delay before a failed step is retried. */
const RETRY_MS = 30_000;

/** Ids of steps run at once. */
type Round = readonly number[];

/** Creates a runner. Any number may share a store. */
export function createJobRunner(options: {
  store: Store;
  clock: Clock;
  /** @default the machine's own */
  randomness?: Randomness;
  logger: Logger;
  handlers: Readonly<Record<string, JobHandler>>;
  notifyDispatcher: () => void;
  notifySynthesizer: () => void;
  /** Called after each round, as any step may add a callback. */
  notifyCallbacks: () => void;
  /** How often to look for steps that other processes have scheduled, in milliseconds. @default never */
  looksEveryMs?: number | undefined;
  /** See `LeaseLoopOptions.trustsClock`. */
  trustsClock?: (() => boolean) | undefined;
}): JobRunner {
  const { store, clock, randomness = systemRandomness, logger, handlers, looksEveryMs, trustsClock } = options;
  const { notifyDispatcher, notifySynthesizer, notifyCallbacks } = options;
  // a round is one task, so that the next listing omits steps that are still to be taken
  const loop = new LeaseLoop<Round>({
    clock,
    randomness,
    countRoom: (underWay) => 1 - underWay,
    claim: listDue,
    perform: runAll,
    onError: (error) =>
      logger.error({ err: error }, "steps that are due could not be read or put off; they are tried again"),
    retryMs: RETRY_MS,
    looksEveryMs,
    trustsClock,
  });
  let lastTenant: number | undefined;

  async function listDue(): Promise<Claim<Round>> {
    const limit = sometimes("a round is of one step") ? 1 : LARGEST_ROUND;
    const due = await store.read((tx) => listDueJobs(tx, { now: clock.now(), limit, lastTenant }));
    lastTenant = due.lastTenant;
    if (due.jobIds.length > 0) return { tasks: [due.jobIds], isMoreDue: false, nextDueAt: undefined };
    return { tasks: [], isMoreDue: false, nextDueAt: await store.read(findNextJobDue) };
  }

  async function runAll(jobIds: Round): Promise<void> {
    // waits for all: a step that the store could not even put off must not leave the others behind
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
          reached("a step was taken by another");
          return undefined;
        }
        const handle = handlers[job.kind];
        if (handle === undefined) throw new Error(`nothing handles a step of kind ${job.kind}`);
        return handle({ tx, tenantId: job.tenantId, now }, job.subject);
      });
      if (typeof effect === "function") effect();
      else if (effect !== undefined) notifyDispatcher();
      if (effect === "calls") notifySynthesizer();
    } catch (error) {
      reached("a step failed");
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

// Steps that were put off under a clock that was ahead, such as a machine's before it has asked a time server, would wait
// until the clock is there again: for pruning, which goes on from step to step, that is for good.

/** Steps of calls that wait for the morning: begun early, they would ring at night. */
const WAIT_FOR_MORNING = [BEGIN_CALLS, SPEECH_SETTLED];
/** The longest that any other step is put off: until a batch is given up whose acceptance broke off. */
const LONGEST_MS = PATIENCE_MS;

/** Has steps fall due now that are further ahead than they can have been put off. Each can be done early. */
export async function bringBackFarJobs(store: Store, now: number): Promise<void> {
  const latest = now + LONGEST_MS + CLOCK_FAULT_MS;
  await store.write((tx) => bringBackJobs(tx, { kinds: WAIT_FOR_MORNING, latest, now }));
}
