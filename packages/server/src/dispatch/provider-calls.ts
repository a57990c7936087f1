// Limits the time of calls to providers.

import type { Clock } from "../platform/clock.ts";

/** Thrown if a provider call was abandoned. Its outcome is unknown. */
export class CallAbandoned extends Error {
  override readonly name = "CallAbandoned";
}

/** Limits of one call. */
export interface CallBounds {
  /** Aborted when the call is abandoned. Created on first use, because most calls do not need it. */
  readonly signal: AbortSignal;
  /** Restarts the call's timeout with this many milliseconds from now. */
  allow(ms: number): void;
}

/** Provider calls in flight. Each ends in time, even if the provider ignores its signal. */
export class ProviderCalls {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #abandon = new Set<(reason: string) => void>();

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** Settles like `call`. Rejects with `CallAbandoned` after a timeout, which the call may extend with `allow`. */
  run<T>(call: (bounds: CallBounds) => Promise<T>, timeoutMs = this.#timeoutMs): Promise<T> {
    return new Promise((resolve, reject) => {
      let controller: AbortController | undefined;
      let abandoned: CallAbandoned | undefined;
      const abandon = (reason: string) => {
        abandoned = new CallAbandoned(reason);
        end();
        reject(abandoned);
        controller?.abort(abandoned);
      };
      let cancelTimeout = () => {};
      const bounds: CallBounds = {
        get signal() {
          controller ??= new AbortController();
          if (abandoned !== undefined) controller.abort(abandoned);
          return controller.signal;
        },
        allow: (ms) => {
          cancelTimeout();
          const abandonLate = () => abandon(`the provider did not answer within ${ms} ms`);
          cancelTimeout = this.#clock.at(this.#clock.now() + ms, abandonLate);
        },
      };
      bounds.allow(timeoutMs);
      const end = () => {
        cancelTimeout();
        this.#abandon.delete(abandon);
      };
      this.#abandon.add(abandon);
      call(bounds).then(
        (answer) => {
          end();
          resolve(answer);
        },
        (error) => {
          end();
          reject(error);
        },
      );
    });
  }

  /** Abandons every call in flight. */
  abandonAll(): void {
    for (const abandon of [...this.#abandon]) abandon("the dispatcher was stopped");
  }
}
