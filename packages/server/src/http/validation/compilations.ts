// Compiles schemas when they are first needed, or between other work after the start: all at once would take longer
// than the rest of the start.

import { turnOver } from "../../platform/timers.ts";

export class Compilations {
  readonly #pending = new Set<() => unknown>();

  /** Returns a function that calls `compile` once, at its first call, and caches the result. */
  later<T>(compile: () => T): () => T {
    let made: { value: T } | undefined;
    const make = () => {
      made ??= { value: compile() };
      this.#pending.delete(make);
      return made.value;
    };
    this.#pending.add(make);
    return make;
  }

  /** Compiles what is left, one at a time, with requests in between. Throws if a schema cannot be compiled. */
  async finish(): Promise<void> {
    for (const make of this.#pending) {
      make();
      await turnOver();
    }
  }
}
