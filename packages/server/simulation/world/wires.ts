// The wires between a process and its peers. A request and its answer each take time, and each may be lost.

import type { Random } from "../random.ts";
import type { MachineProcess } from "./machine.ts";
import type { Scheduler } from "./scheduler.ts";

/** Range of the one-way latency, in microseconds: mostly short, sometimes long. */
const LEAST_US = 50;
const USUAL_US = 20_000;

/** Whether a request arrives, and whether and when its answer returns. */
export interface Fate {
  readonly isUnreached?: boolean;
  readonly isAnswerLost?: boolean;
  /** Delay of the answer, in microseconds. */
  readonly lateBy?: number;
}

export class Wires {
  readonly #scheduler: Scheduler;
  readonly #random: Random;

  constructor(scheduler: Scheduler, random: Random) {
    this.#scheduler = scheduler;
    this.#random = random;
  }

  /** Draws a one-way latency, in microseconds. */
  way(): number {
    return this.#random.spread(LEAST_US, USUAL_US);
  }

  /**
   * Sends a request to a peer outside of the process. The peer serves it even if the process has ended. If the answer is
   * undefined or lost, the promise never settles.
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

  /**
   * Delivers an event to a process from outside. Unless the process ends, `answered` is called with whether it handled the
   * event.
   */
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
