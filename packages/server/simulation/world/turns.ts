import { nextTurn } from "../../src/platform/clock.ts";

/** How many are asked for at once. The event loop asks the operating system for news before each that is asked for by itself. */
const AT_ONCE = 64;

/** Turns of the event loop. Before each, all promises that can go on by themselves have done so, and Node.js has told of rejections. */
export class Turns {
  #left = 0;
  #goOn: (() => void) | undefined;

  /** Resolves in the next turn. Nothing else may wait for one meanwhile. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
      if (this.#left > 0) return;
      this.#left = AT_ONCE;
      for (let count = 0; count < AT_ONCE; count += 1) nextTurn(this.#take);
    });
  }

  readonly #take = (): void => {
    this.#left -= 1;
    const goOn = this.#goOn;
    this.#goOn = undefined;
    goOn?.();
  };
}
