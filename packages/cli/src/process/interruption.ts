/** Ctrl-C. What never asks for its signal, such as help, is ended by the system itself. */
import { EXIT } from "./exit-codes.ts";

const GRACE_MS = 300;

export class Interruption {
  #signal: AbortSignal | undefined;
  /** How long what is under way may take to end; whatever does not heed the signal must not hold the process. */
  graceMs = GRACE_MS;

  get signal(): AbortSignal {
    this.#signal ??= this.#watch();
    return this.#signal;
  }

  #watch(): AbortSignal {
    const controller = new AbortController();
    let interruptedAtMs: number | undefined;
    // Not once(): libraries that wait for signals end the process when no other listener is left.
    process.on("SIGINT", () => {
      // A second Ctrl-C ends it at once. What comes right after the first is the same one: npx passes it on as well.
      interruptedAtMs ??= Date.now();
      if (Date.now() - interruptedAtMs >= GRACE_MS) process.exit(EXIT.interrupted);
      controller.abort();
      setTimeout(() => process.exit(EXIT.interrupted), this.graceMs).unref();
    });
    return controller.signal;
  }
}
