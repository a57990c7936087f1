// Schemas are compiled when they are first needed, or in the pauses after the start: all at once they would take longer
// than the rest of it.

import { setImmediate } from "node:timers/promises";

export class Compilations {
  readonly #pending = new Set<() => unknown>();

  /** Gives what `compile` makes; makes it once, at the first call. */
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

  /** Makes all that is left, one at a time, and lets requests in between. Throws what a schema does that cannot be compiled. */
  async finish(): Promise<void> {
    for (const make of this.#pending) {
      make();
      await setImmediate();
    }
  }
}
