// Keeps one session with the carrier bound: opens another after each that ended, for ever, until it is closed.

import { choosePause } from "./reconnect-pause.ts";
import { Session, type SessionOptions } from "./session.ts";

export interface LinkOptions extends SessionOptions {
  /** Gives 0 to 1. */
  readonly random: () => number;
}

export class Link {
  readonly #options: LinkOptions;
  #session: Session | undefined;
  #failures = 0;
  #isClosed = false;
  #cancelRetry = () => {};

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Its session if that is bound. */
  get boundSession(): Session | undefined {
    return this.#session?.isBound ? this.#session : undefined;
  }

  open(): void {
    this.#session = new Session({
      ...this.#options,
      onBound: () => {
        this.#failures = 0;
        this.#options.onBound();
      },
      onEnd: (reason) => {
        if (!this.#isClosed) this.#retry();
        this.#options.onEnd(reason);
      },
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    await this.#session?.close();
  }

  #retry(): void {
    const { clock, random } = this.#options;
    this.#cancelRetry = clock.at(clock.now() + choosePause(this.#failures, random), () => this.open());
    this.#failures += 1;
  }
}
