// A machine of the world: its clock, which may be wrong, and the processes that run on it one after the other.

import { createMemoryMark } from "../../src/dispatch/messages/restoration.ts";
import { type Clock, LONGEST_LOOK_AWAY_MS } from "../../src/platform/clock.ts";
import type { Random } from "../random.ts";
import type { Scheduled, Scheduler } from "./scheduler.ts";

const US = 1_000;

export class Machine {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** A file on its disk. It outlives processes, and a restored database does not reset it. */
  readonly mark = createMemoryMark();
  readonly #startsAt: number;
  /** Error of its clock, in milliseconds. */
  #skewMs: number;
  process: MachineProcess | undefined;

  constructor(name: string, options: { scheduler: Scheduler; random: Random; startsAt: number; skewMs: number }) {
    this.name = name;
    this.scheduler = options.scheduler;
    this.random = options.random;
    this.#startsAt = options.startsAt;
    this.#skewMs = options.skewMs;
  }

  now(): number {
    return this.#startsAt + this.#skewMs + Math.floor(this.scheduler.now / US);
  }

  /** Time in microseconds of the world at which its clock will read `epochMs`. */
  timeOf(epochMs: number): number {
    return (epochMs - this.#startsAt - this.#skewMs) * US;
  }

  /** Sets its clock, whose error is `skewMs` milliseconds from now on. */
  setClock(skewMs: number): void {
    this.#skewMs = skewMs;
    this.process?.noteJump();
  }
}

interface Timer {
  readonly dueMs: number;
  readonly wake: () => void;
  scheduled: Scheduled;
}

/** One run of a program on a machine. Everything pending when it dies is lost. */
export class MachineProcess {
  readonly name: string;
  readonly machine: Machine;
  isDead = false;
  pausedUntil = 0;
  readonly #timers = new Set<Timer>();
  readonly #farewells: (() => void)[] = [];

  constructor(machine: Machine, name: string) {
    this.machine = machine;
    this.name = name;
    machine.process = this;
  }

  get #scheduler(): Scheduler {
    return this.machine.scheduler;
  }

  readonly clock: Clock = {
    now: () => this.machine.now(),
    elapsed: () => this.#scheduler.now / US,
    at: (dueMs, wake) => {
      const timer: Timer = { dueMs, wake, scheduled: NEVER };
      this.#arm(timer, this.machine.timeOf(dueMs));
      this.#timers.add(timer);
      return () => this.#disarm(timer);
    },
    after: (ms, run) => {
      const scheduled = this.#scheduler.in(ms * US, "after", this, run);
      return () => scheduled.cancel();
    },
  };

  /** Calls `notice` when the process dies. */
  whenDead(notice: () => void): void {
    this.#farewells.push(notice);
  }

  kill(): void {
    if (this.isDead) return;
    this.isDead = true;
    if (this.machine.process === this) this.machine.process = undefined;
    for (const notice of this.#farewells) notice();
  }

  /** Delays all events of the process until `us` microseconds from now. */
  pause(us: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.#scheduler.now + us);
  }

  /** Called when the clock is set. Long timers read the clock again within half a minute, and fire by its new reading. */
  noteJump(): void {
    for (const timer of this.#timers) {
      const waitUs = timer.scheduled.at - this.#scheduler.now;
      if (waitUs <= LONGEST_LOOK_AWAY_MS * US) continue;
      timer.scheduled.cancel();
      const looksAt = this.#scheduler.now + this.machine.random.below(LONGEST_LOOK_AWAY_MS * US);
      this.#arm(timer, Math.max(looksAt, this.machine.timeOf(timer.dueMs)));
    }
  }

  #arm(timer: Timer, time: number): void {
    timer.scheduled = this.#scheduler.at(time, "timer", this, () => {
      this.#timers.delete(timer);
      timer.wake();
    });
  }

  #disarm(timer: Timer): void {
    this.#timers.delete(timer);
    timer.scheduled.cancel();
  }
}

const NEVER: Scheduled = { at: 0, cancel() {} };
