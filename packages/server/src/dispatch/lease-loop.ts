// Works on what falls due in a store that others may work on too: claims it, has each piece done outside of any
// transaction, and wakes for whatever is due next. What is due, how much of it may be under way and what is done about
// it is its owner's; that nothing which is due is ever slept through is decided here, and nowhere else.

import { randomBytes } from "node:crypto";
import type { Clock } from "../platform/clock.ts";
import { Alarm } from "./alarm.ts";

/** What one look at the store came to. */
export interface Claim<Task> {
  /** Leased, and to be done by this process. */
  readonly tasks: readonly Task[];
  /** Whether there may be more that is due. */
  readonly isMoreDue: boolean;
  /** When to look again, in epoch milliseconds: the leases just taken run out, too. Undefined when nothing waits. */
  readonly nextDueAt: number | undefined;
}

export interface LeaseLoopOptions<Task> {
  readonly clock: Clock;
  /** How many tasks more may be taken up, with so many under way. */
  readonly countRoom: (underWay: number) => number;
  /** When the rest under way ends; undefined for none. Nothing is claimed before. @default no rests */
  readonly restsUntil?: () => number | undefined;
  /** Leases what is due, as many tasks as there is room for. The token is of this claim alone, and of this process. */
  readonly claim: (token: string, room: number) => Promise<Claim<Task>>;
  /** Does a task. Whoever has more looked at than was known of at its claim notifies. */
  readonly perform: (task: Task) => Promise<void>;
  /** Told why a claim, or a task, was rejected. What is due is looked at again after `retryMs`. */
  readonly onError: (error: unknown) => void;
  /** In milliseconds. @default 1000 */
  readonly retryMs?: number;
}

/** One claim at a time; any number of tasks that its owner has room for. Claims nothing before `start` and after `stop`. */
export class LeaseLoop<Task> {
  readonly #options: LeaseLoopOptions<Task>;
  readonly #alarm: Alarm;
  readonly #underWay = new Set<Promise<void>>();
  /** Tells the leases of this loop from those of any other, ever. */
  readonly #name = randomBytes(8).toString("hex");
  #claims = 0;
  /** Whether something may be due that was not looked at. */
  #isNotified = false;
  #phase: "waiting" | "running" | "stopped" = "waiting";
  #isClaiming = false;
  #lastRound: Promise<void> | undefined;

  constructor(options: LeaseLoopOptions<Task>) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.notify());
  }

  /** Whether it is claiming, rather than waiting for a task or for the clock. */
  get isClaiming(): boolean {
    return this.#isClaiming;
  }

  /** How many tasks are under way. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /** Begins to claim, unless it was stopped meanwhile. */
  start(): void {
    if (this.#phase === "waiting") this.#phase = "running";
    this.notify();
  }

  /** Says that something may be due. */
  notify(): void {
    this.#isNotified = true;
    const restsUntil = this.#restsUntil;
    if (restsUntil !== undefined) this.notifyAt(restsUntil);
    this.#look();
  }

  /** Says that something will be due, in epoch milliseconds. */
  notifyAt(dueAt: number): void {
    if (this.#phase === "running") this.#alarm.set(dueAt);
  }

  /** Claims nothing more. Resolves once no claim is under way; the tasks of the last one have begun by then. */
  async stop(): Promise<void> {
    this.#phase = "stopped";
    await this.#lastRound;
    this.#alarm.clear();
  }

  /** Resolves once no task is under way any more. */
  async finish(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Begins a round, unless one is under way: that one looks again before it ends. */
  #look(): void {
    if (this.#isClaiming || !this.#mayClaim()) return;
    this.#isClaiming = true;
    this.#lastRound = this.#claimAll();
  }

  /** Without room it stays notified: the next task that ends makes some, and looks. */
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
    try {
      const { tasks, isMoreDue, nextDueAt } = await this.#options.claim(`${this.#name}-${this.#claims}`, this.#room);
      for (const task of tasks) this.#begin(task);
      if (isMoreDue) this.#isNotified = true;
      const wakeAt = this.#restsUntil ?? (isMoreDue ? undefined : nextDueAt);
      if (wakeAt !== undefined) this.notifyAt(wakeAt);
    } catch (error) {
      this.#retry(error);
    }
  }

  #begin(task: Task): void {
    const work = this.#perform(task).then(() => {
      this.#underWay.delete(work);
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
    onError(error);
    this.notifyAt(clock.now() + retryMs);
  }
}
