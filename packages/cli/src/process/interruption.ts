/** Handles Ctrl-C. A command that never reads the signal, such as help, is ended by the system. */
import { EXIT } from "./exit-codes.ts";

const GRACE_MS = 300;

export class Interruption {
  #signal: AbortSignal | undefined;
  /** How long work in flight may take to end; work that ignores the signal must not keep the process alive. */
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
      // A second Ctrl-C ends it at once. One right after the first is the same: npx passes it on as well.
      interruptedAtMs ??= Date.now();
      if (Date.now() - interruptedAtMs >= GRACE_MS) process.exit(EXIT.interrupted);
      controller.abort();
      setTimeout(() => process.exit(EXIT.interrupted), this.graceMs).unref();
    });
    return controller.signal;
  }
}
