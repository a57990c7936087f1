import type { CallFault } from "../plan/faults.ts";
import type { Plan } from "../plan/plan.ts";
import { Random } from "../random.ts";
import type { Fate } from "./wires.ts";

/** Draws at each opportunity whether a fault happens, until the world becomes calm. */
export class Chances {
  readonly #random: Random;
  readonly #rates: Plan["rates"];
  #isCalm = false;

  constructor({ seed, rates }: Pick<Plan, "seed" | "rates">) {
    this.#random = new Random(seed, "chances");
    this.#rates = rates;
  }

  happens(fault: CallFault, share = 1): boolean {
    const rate = this.#rates[fault];
    return rate !== undefined && !this.#isCalm && this.#random.chance(rate * share);
  }

  /** Draws whether a request reaches its carrier, and whether the answer comes back. */
  fate(isDown = false): Fate {
    return {
      isUnreached: isDown || this.happens("carrier is not reached"),
      isAnswerLost: this.happens("carrier's answer is lost"),
    };
  }

  becomeCalm(): void {
    this.#isCalm = true;
  }
}
