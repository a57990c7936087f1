import type { Clock } from "../platform/clock.ts";

/** A provider call that was abandoned: its outcome is unknown. */
class CallAbandoned extends Error {
  override readonly name = "CallAbandoned";
}

/** Provider calls, each of which ends in time, even if the provider ignores its signal. */
export class ProviderCalls {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #abandon = new Set<(reason: string) => void>();

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Settles as `call` does, or rejects with `CallAbandoned` on timeout. */
  run<T>(call: (signal: AbortSignal) => Promise<T>, timeoutMs = this.#timeoutMs): Promise<T> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const abandon = (reason: string) => {
        const error = new CallAbandoned(reason);
        end();
        reject(error);
        controller.abort(error);
      };
      const cancelTimeout = this.#clock.at(this.#clock.now() + timeoutMs, () =>
        abandon(`the provider did not answer within ${timeoutMs} ms`),
      );
      const end = () => {
        cancelTimeout();
        this.#abandon.delete(abandon);
      };
      this.#abandon.add(abandon);
      call(controller.signal).then(resolve, reject).finally(end);
    });
  }

  /** Abandons every call in flight. */
  abandonAll(): void {
    for (const abandon of [...this.#abandon]) abandon("the dispatcher was stopped");
  }
}
