import type { Clock } from "../platform/clock.ts";

/** A provider's call that was given up: what became of it is unknown. */
class CallAbandoned extends Error {
  override readonly name = "CallAbandoned";
}

/** Calls of providers, each of which ends in time, whether or not the provider heeds its signal. */
export class ProviderCalls {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #abandon = new Set<(reason: string) => void>();

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Settles as `call` does, or rejects with `CallAbandoned` once its time is over. */
  run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const abandon = (reason: string) => {
        const error = new CallAbandoned(reason);
        end();
        reject(error);
        controller.abort(error);
      };
      const cancelTimeout = this.#clock.at(this.#clock.now() + this.#timeoutMs, () =>
        abandon(`the provider did not answer within ${this.#timeoutMs} ms`),
      );
      const end = () => {
        cancelTimeout();
        this.#abandon.delete(abandon);
      };
      this.#abandon.add(abandon);
      call(controller.signal).then(resolve, reject).finally(end);
    });
  }

  /** Gives up on every call under way. */
  abandonAll(): void {
    for (const abandon of [...this.#abandon]) abandon("the dispatcher was stopped");
  }
}
