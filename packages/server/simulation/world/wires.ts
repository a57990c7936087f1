// Between a process and whatever it calls. A request and its answer each take their time, and each may be lost.

import type { Random } from "../random.ts";
import type { MachineProcess } from "./machine.ts";
import type { Scheduler } from "./scheduler.ts";

/** Microseconds of one way: most are short, some are long. */
const LEAST_US = 50;
const USUAL_US = 20_000;

/** What becomes of a call beside its answer. */
export interface Fate {
  readonly isUnreached?: boolean;
  readonly isAnswerLost?: boolean;
  /** By how much the answer is late, in microseconds. */
  readonly lateBy?: number;
}

export class Wires {
  readonly #scheduler: Scheduler;
  readonly #random: Random;

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler;
    this.#random = random;
  }

  /** How long one way takes, in microseconds. */
  way(): number {
    return this.#random.spread(LEAST_US, USUAL_US);
  }

  /**
   * Has somebody outside of the process serve a request. What has left is served though the process ends. An answer that
   * is undefined, or lost, never comes.
   */
  ask<T>(process: MachineProcess, label: string, fate: Fate, serve: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      if (fate.isUnreached === true) return;
      this.#scheduler.in(this.way(), `${process.name} ${label}`, undefined, () => {
        const answer = serve();
        if (answer === undefined || fate.isAnswerLost === true) return;
        const text = `${label}: ${JSON.stringify(answer)}`;
        this.#scheduler.in(this.way() + (fate.lateBy ?? 0), text, process, () => resolve(answer));
      });
    });
  }

  /** Hands something to a process from outside; `answered` learns whether it was handled, unless the process ends. */
  tell(
    process: MachineProcess,
    label: string,
    handle: () => Promise<unknown>,
    answered: (isDone: boolean) => void,
  ): void {
    this.#scheduler.in(this.way(), label, process, () => {
      const answer = (isDone: boolean) =>
        this.#scheduler.in(this.way(), `${process.name} ${label}: ${isDone}`, undefined, () => answered(isDone));
      handle().then(
        () => answer(true),
        () => answer(false),
      );
    });
  }
}
