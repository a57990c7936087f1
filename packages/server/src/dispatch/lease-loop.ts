// Claims due tasks in a store that may be shared, performs each outside any transaction, and wakes up when the next is
// due. The owner decides which tasks are due and how to perform them. The loop never sleeps past a due task.

import { Alarm } from "../platform/alarm.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logging.ts";
import { reached } from "../platform/probes.ts";
import type { Randomness } from "../platform/randomness.ts";
import type { Store } from "../store/store.ts";

/** When a loop polls the store, that is, claims without being notified. */
interface PollOptions {
  /**
   * Interval at which to poll for tasks that other processes created, in milliseconds of elapsed time. Setting the clock
   * ahead does not trigger a poll. @default never
   */
  readonly pollIntervalMs?: number | undefined;
  /**
   * Whether the clock may be used to decide what is due. If not, nothing is claimed until the next poll, after
   * `pollIntervalMs`.
   * @default always
   */
  readonly trustsClock?: (() => boolean) | undefined;
}

/** Options shared by all workers. */
export interface WorkerOptions extends PollOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** @default the machine's randomness */
  readonly randomness?: Randomness;
  /** True if no other process works on the store, so that leases found at the start are stale. @default false */
  readonly isAlone?: boolean;
  /** How far ahead a claim searches for the next due task, in milliseconds. @default unlimited */
  readonly dueHorizonMs?: number | undefined;
}

/** Result of one claim. */
export interface Claim<Task> {
  /** Leased tasks, which this process must perform. */
  readonly tasks: readonly Task[];
  /** Whether more may be due. */
  readonly isMoreDue: boolean;
  /**
   * Time at which the loop must claim again, in epoch milliseconds: when the next task falls due or the first lease
   * expires. Undefined if there is neither. A past time means that another process has locked due tasks; the loop then
   * claims again soon.
   */
  readonly nextDueAt: number | undefined;
}

export interface LeaseLoopOptions<Task> extends PollOptions {
  readonly clock: Pick<Clock, "now" | "at" | "after">;
  readonly randomness: Randomness;
  /** Returns how many more tasks may start, given the number in flight. */
  readonly countRoom: (underWay: number) => number;
  /** Returns the end of the current rest, or undefined. Nothing is claimed during a rest. @default no rests */
  readonly restsUntil?: () => number | undefined;
  /** Leases up to `room` due tasks. The token is unique to this claim and process. */
  readonly claim: (token: string, room: number) => Promise<Claim<Task>>;
  /** Performs a task. If this creates work that the claim did not return, it must notify the loop. */
  readonly perform: (task: Task) => Promise<void>;
  /** Called when a claim or a task rejects. The loop claims again after `retryMs`. */
  readonly onError: (error: unknown) => void;
  /** Pause after a failure, in milliseconds. @default 1000 */
  readonly retryMs?: number;
  /** Whether a claim may skip due tasks despite having room. If true, the loop claims again after each task. @default false */
  readonly leavesRoom?: boolean;
}

/** First and longest pause while another process holds due rows. The pause doubles after each empty claim. */
const OTHERS_MS = 20;
const LONGEST_OTHERS_MS = 1_000;

/** Runs one claim at a time, and as many tasks as `countRoom` allows. Claims nothing before `start` or after `stop`. */
export class LeaseLoop<Task> {
  readonly #options: LeaseLoopOptions<Task>;
  readonly #alarm: Alarm;
  readonly #underWay = new Set<Promise<void>>();
  /** Unique name that tells this loop's leases apart from those of all other loops. */
  readonly #name: string;
  #claims = 0;
  /** Delay before claiming again the due tasks that another process has locked. */
  #othersMs = OTHERS_MS;
  /** Whether tasks may be due since the last claim. */
  #isNotified = false;
  #phase: "waiting" | "running" | "stopped" = "waiting";
  #isClaiming = false;
  #lastRound: Promise<void> | undefined;
  #cancelPoll = () => {};

  constructor(options: LeaseLoopOptions<Task>) {
    this.#options = options;
    this.#name = options.randomness.bytes(8).toString("hex");
    this.#alarm = new Alarm(options.clock, () => this.notify());
  }

  /** Whether a claim is running. */
  get isClaiming(): boolean {
    return this.#isClaiming;
  }

  /** Number of tasks in flight. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** Starts claiming, unless already stopped. */
  start(): void {
    if (this.#phase === "waiting") this.#phase = "running";
    this.notify();
  }

  /** Signals that tasks may be due. */
  notify(): void {
    this.#isNotified = true;
    const restsUntil = this.#restsUntil;
    if (restsUntil !== undefined) this.notifyAt(restsUntil);
    this.#claimSoon();
  }

  /** Signals that a task will be due at `dueAt`, in epoch milliseconds. */
  notifyAt(dueAt: number): void {
    if (this.#phase === "running") this.#alarm.set(dueAt);
  }

  /** Stops claiming. Resolves when no claim is running; the tasks of the last claim have started by then. */
  async stop(): Promise<void> {
    this.#phase = "stopped";
    await this.#lastRound;
    this.#alarm.clear();
    this.#cancelPoll();
  }

  /** Resolves when no task is in flight. */
  async finish(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Starts claiming. If a claim is already running, another one follows it. */
  #claimSoon(): void {
    if (this.#isClaiming || !this.#mayClaim()) return;
    this.#isClaiming = true;
    this.#lastRound = this.#claimAll();
  }

  /** Without room the loop stays notified: it claims again when a task ends. */
  #mayClaim(): boolean {
    return this.#phase === "running" && this.#isNotified && this.#restsUntil === undefined && this.#room > 0;
  }

  get #room(): number {
    return this.#options.countRoom(this.#underWay.size);
  }

  get #restsUntil(): number | undefined {
    return this.#options.restsUntil?.();
  }

  async #claimAll(): Promise<void> {
    while (this.#mayClaim()) await this.#claimOnce();
    // reset right after the check: if the caller did this later in a `finally`, a notification in between would be lost
    this.#isClaiming = false;
  }

  async #claimOnce(): Promise<void> {
    this.#isNotified = false;
    this.#claims += 1;
    this.#schedulePoll();
    if (this.#options.trustsClock?.() === false) return;
    const claimedAt = this.#options.clock.now();
    try {
      const { tasks, isMoreDue, nextDueAt } = await this.#options.claim(`${this.#name}-${this.#claims}`, this.#room);
      for (const task of tasks) this.#begin(task);
      if (isMoreDue) this.#isNotified = true;
      const isInOtherHands = nextDueAt !== undefined && nextDueAt <= claimedAt;
      const dueAt = isInOtherHands ? claimedAt + this.#othersMs : nextDueAt;
      this.#othersMs =
        isInOtherHands && tasks.length === 0 ? Math.min(2 * this.#othersMs, LONGEST_OTHERS_MS) : OTHERS_MS;
      const wakeAt = this.#restsUntil ?? (isMoreDue ? undefined : dueAt);
      if (wakeAt !== undefined) this.notifyAt(wakeAt);
    } catch (error) {
      this.#retry(error);
    }
  }

  #schedulePoll(): void {
    const { pollIntervalMs, clock } = this.#options;
    if (pollIntervalMs === undefined) return;
    this.#cancelPoll();
    this.#cancelPoll = clock.after(pollIntervalMs, () => this.notify());
  }

  #begin(task: Task): void {
    const work = this.#perform(task).then(() => {
      this.#underWay.delete(work);
      if (this.#options.leavesRoom === true) this.#isNotified = true;
      this.#claimSoon();
    });
    this.#underWay.add(work);
  }

  async #perform(task: Task): Promise<void> {
    try {
      await this.#options.perform(task);
    } catch (error) {
      this.#retry(error);
    }
  }

  #retry(error: unknown): void {
    const { clock, onError, retryMs = 1_000 } = this.#options;
    reached("a claim or a task failed, and is retried");
    onError(error);
    this.notifyAt(clock.now() + retryMs);
  }
}

/** End of a lease, measured by two clocks. */
export interface LeaseEnd {
  /** In epoch milliseconds, as stored. */
  readonly leaseExpiresAt: number;
  /** By `Clock.elapsed`, because this process's clock may be set during the lease. */
  readonly leaseElapsesAt: number;
}

/**
 * Returns whether a call of up to `callMs` milliseconds could outlast the lease. If so, do not start it: the provider
 * could tell the next lease holder that it knows of no call, and then accept this one.
 */
export function mayOutlast(lease: LeaseEnd, callMs: number, clock: Pick<Clock, "now" | "elapsed">): boolean {
  return clock.now() + callMs >= lease.leaseExpiresAt || clock.elapsed() + callMs >= lease.leaseElapsesAt;
}
