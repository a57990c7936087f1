// The moments of the database that long replies show. Nobody takes one while the log has to start over.

import { StoreUnavailable } from "../store.ts";
import type { LogBounds } from "./log-bounds.ts";

/** Lets go of the moment; a second time does nothing. */
export type LetGo = () => void;

export class Moments {
  readonly #bounds: Omit<LogBounds, "mostPages">;
  #open = 0;
  #isShut = false;
  #onNone: () => void = () => {};
  readonly #waiting = new Set<() => void>();

  constructor(bounds: Omit<LogBounds, "mostPages">) {
    this.#bounds = bounds;
  }

  get areOpen(): boolean {
    return this.#open > 0;
  }

  /** Waits as long as none may be taken. Rejects with `StoreUnavailable` where that takes too long. */
  async take(): Promise<LetGo> {
    if (this.#isShut) await this.#wait();
    this.#open += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open -= 1;
      if (this.#open === 0) this.#onNone();
    };
  }

  /** Lets nobody take one. Resolves when none is left, or when those that are had time enough to finish. */
  async shut(): Promise<void> {
    this.#isShut = true;
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#bounds.finishMs).unref();
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onNone = () => {};
  }

  /** Lets in who waited. */
  reopen(): void {
    this.#isShut = false;
    for (const admit of this.#waiting) admit();
  }

  #wait(): Promise<void> {
    const { waitMs } = this.#bounds;
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        this.#waiting.delete(admit);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(admit);
        reject(new StoreUnavailable(`the log did not start over within ${waitMs / 1_000} s`));
      }, waitMs).unref();
      this.#waiting.add(admit);
    });
  }
}
