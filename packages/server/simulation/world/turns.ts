import { nextTurn } from "../../src/platform/clock.ts";

/**
 * Number of turns requested at once. If turns were requested one by one, the event loop would poll the operating system
 * before each.
 */
const AT_ONCE = 64;

/**
 * Turns of the event loop. Before each turn, all promises that can settle have settled, and Node.js has reported unhandled
 * rejections.
 */
export class Turns {
  #left = 0;
  #goOn: (() => void) | undefined;

  /** Resolves in the next turn. Only one caller may wait at a time. */
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
