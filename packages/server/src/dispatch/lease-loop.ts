// Claims due tasks in a store that may be shared, has each performed outside any transaction, and wakes when the next is
// due. The owner decides what is due and how it is performed; the loop sleeps through nothing that is due.

import { Alarm } from "../platform/alarm.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logging.ts";
import { reached } from "../platform/probes.ts";
import type { Randomness } from "../platform/randomness.ts";
import type { Store } from "../store/store.ts";

/** The times at which a loop looks at the store, besides when it is notified. */
interface LookOptions {
  /**
   * Interval of looks for tasks of other processes, in milliseconds of elapsed time. A clock that is moved ahead meets
   * none of these looks. @default never
   */
  readonly looksEveryMs?: number | undefined;
  /** Whether the clock may decide what is due. If not, nothing is claimed until `looksEveryMs` later. @default always */
  readonly trustsClock?: (() => boolean) | undefined;
}

/** Options that all workers share. */
export interface WorkerOptions extends LookOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** @default the machine's own */
  readonly randomness?: Randomness;
  /** True if no other process works on the store: leases found at the start are then stale. @default false */
  readonly isAlone?: boolean;
  /** Time that a claim looks ahead for the next due task, in milliseconds. @default without end */
  readonly looksAheadMs?: number | undefined;
}

/** Result of one look at the store. */
export interface Claim<Task> {
  /** Leased, to be performed by this process. */
  readonly tasks: readonly Task[];
  /** Whether more may be due. */
  readonly isMoreDue: boolean;
  /**
   * Time of the next look, in epoch milliseconds, counting expiry of the new leases; undefined if nothing waits. A past
   * time means that another process has locked due tasks: the loop looks again soon.
   */
  readonly nextDueAt: number | undefined;
}

export interface LeaseLoopOptions<Task> extends LookOptions {
  readonly clock: Pick<Clock, "now" | "at" | "after">;
  readonly randomness: Randomness;
  /** Returns the number of tasks that may begin, given the number in flight. */
  readonly countRoom: (underWay: number) => number;
  /** Returns the end of the current rest; undefined for none. Nothing is claimed before. @default no rests */
  readonly restsUntil?: () => number | undefined;
  /** Leases up to `room` due tasks. The token is unique to this claim and process. */
  readonly claim: (token: string, room: number) => Promise<Claim<Task>>;
  /** Performs a task. Must notify the loop of work that its claim did not know of. */
  readonly perform: (task: Task) => Promise<void>;
  /** Called when a claim or a task rejects. The loop looks again after `retryMs`. */
  readonly onError: (error: unknown) => void;
  /** In milliseconds. @default 1000 */
  readonly retryMs?: number;
  /** Whether a claim may leave due tasks although there is room: the loop then looks again after each task. @default false */
  readonly leavesRoom?: boolean;
}

/** First and longest pause for another process to commit a row that it holds; doubled after each empty claim. */
const OTHERS_MS = 20;
const LONGEST_OTHERS_MS = 1_000;

/** One claim at a time; as many tasks as its owner has room for. Claims nothing before `start` or after `stop`. */
export class LeaseLoop<Task> {
  readonly #options: LeaseLoopOptions<Task>;
  readonly #alarm: Alarm;
  readonly #underWay = new Set<Promise<void>>();
  /** Distinguishes this loop's leases from those of any other, ever. */
  readonly #name: string;
  #claims = 0;
  /** Delay before due tasks that were not claimed are looked at again. */
  #othersMs = OTHERS_MS;
  /** Whether something may be due that was not looked at. */
  #isNotified = false;
  #phase: "waiting" | "running" | "stopped" = "waiting";
  #isClaiming = false;
  #lastRound: Promise<void> | undefined;
  #cancelLook = () => {};

  constructor(options: LeaseLoopOptions<Task>) {
    this.#options = options;
    this.#name = options.randomness.bytes(8).toString("hex");
    this.#alarm = new Alarm(options.clock, () => this.notify());
  }

  /** Whether it is claiming, rather than waiting for a task or for the clock. */
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

  /** Signals that something may be due. */
  notify(): void {
    this.#isNotified = true;
    const restsUntil = this.#restsUntil;
    if (restsUntil !== undefined) this.notifyAt(restsUntil);
    this.#look();
  }

  /** Signals when something will be due, in epoch milliseconds. */
  notifyAt(dueAt: number): void {
    if (this.#phase === "running") this.#alarm.set(dueAt);
  }

  /** Stops claiming. Resolves once no claim is running; the tasks of the last one have begun by then. */
  async stop(): Promise<void> {
    this.#phase = "stopped";
    await this.#lastRound;
    this.#alarm.clear();
    this.#cancelLook();
  }

  /** Resolves once no task is in flight. */
  async finish(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Begins a round unless one is running, which looks again before it ends. */
  #look(): void {
    if (this.#isClaiming || !this.#mayClaim()) return;
    this.#isClaiming = true;
    this.#lastRound = this.#claimAll();
  }

  /** Without room it stays notified: the next task to end makes room, and looks again. */
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
    // right after the check, not in a `finally` of the caller: a notification could slip in between and be lost
    this.#isClaiming = false;
  }

  async #claimOnce(): Promise<void> {
    this.#isNotified = false;
    this.#claims += 1;
    this.#scheduleLook();
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

  #scheduleLook(): void {
    const { looksEveryMs, clock } = this.#options;
    if (looksEveryMs === undefined) return;
    this.#cancelLook();
    this.#cancelLook = clock.after(looksEveryMs, () => this.notify());
  }

  #begin(task: Task): void {
    const work = this.#perform(task).then(() => {
      this.#underWay.delete(work);
      if (this.#options.leavesRoom === true) this.#isNotified = true;
      this.#look();
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
    reached("a claim or a task failed, and is looked at again");
    onError(error);
    this.notifyAt(clock.now() + retryMs);
  }
}

/** End of a lease, by two clocks. */
export interface LeaseEnd {
  /** In epoch milliseconds, as the store has it. */
  readonly leaseExpiresAt: number;
  /** By `Clock.elapsed`: this process's clock may be set meanwhile. */
  readonly leaseElapsesAt: number;
}

/**
 * Returns whether a call of up to `callMs` milliseconds could outlast the lease. If so, it must not begin: the provider
 * could tell the next holder that nothing was made.
 */
export function mayOutlast(lease: LeaseEnd, callMs: number, clock: Pick<Clock, "now" | "elapsed">): boolean {
  return clock.now() + callMs >= lease.leaseExpiresAt || clock.elapsed() + callMs >= lease.leaseElapsesAt;
}
