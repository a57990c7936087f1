import type { Clock } from "../platform/clock.ts";

/** A provider call that was abandoned: its outcome is unknown. */
export class CallAbandoned extends Error {
  override readonly name = "CallAbandoned";
}

/** Gives a call so many milliseconds from now on. */
type Allow = (ms: number) => void;

/** Provider calls, each of which ends in time, even if the provider ignores its signal. */
export class ProviderCalls {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #abandon = new Set<(reason: string) => void>();

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Settles as `call` does, or rejects with `CallAbandoned` on timeout, which the call may put off. */
  run<T>(call: (signal: AbortSignal, allow: Allow) => Promise<T>, timeoutMs = this.#timeoutMs): Promise<T> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const abandon = (reason: string) => {
        const error = new CallAbandoned(reason);
        end();
        reject(error);
        controller.abort(error);
      };
      let cancelTimeout = () => {};
      const allow: Allow = (ms) => {
        cancelTimeout();
        const words = `the provider did not answer within ${ms} ms`;
        cancelTimeout = this.#clock.at(this.#clock.now() + ms, () => abandon(words));
      };
      allow(timeoutMs);
      const end = () => {
        cancelTimeout();
        this.#abandon.delete(abandon);
      };
      this.#abandon.add(abandon);
      call(controller.signal, allow).then(resolve, reject).finally(end);
    });
  }

  /** Abandons every call in flight. */
  abandonAll(): void {
    for (const abandon of [...this.#abandon]) abandon("the dispatcher was stopped");
  }
}
