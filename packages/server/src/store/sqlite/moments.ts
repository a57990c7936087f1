// Counts the open snapshots of long replies. None is opened while the log must start over.

import { clearTimeout, setTimeout } from "../../platform/timers.ts";
import { StoreUnavailable } from "../store.ts";
import type { LogBounds } from "./log-bounds.ts";

/** Releases the snapshot; a second call does nothing. */
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

  /** Waits while none may be opened. Rejects with `StoreUnavailable` if that takes too long. */
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

  /** Admits no more. Resolves when none is left, or when the open ones have had time to finish. */
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

  /** Admits those that waited. */
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
