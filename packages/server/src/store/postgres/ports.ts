import { type Clock, keepingClock, type NextTurn, nextTurn } from "../../platform/clock.ts";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";

/** Time, chance and turns of the event loop of a store. */
export interface StorePorts {
  readonly clock: Pick<Clock, "elapsed" | "after">;
  readonly randomness: Randomness;
  readonly nextTurn: NextTurn;
}

export const systemPorts: StorePorts = { clock: keepingClock, randomness: systemRandomness, nextTurn };
