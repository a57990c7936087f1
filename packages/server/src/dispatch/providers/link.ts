// Keeps one connection with a carrier ready: opens another after each that ended, for ever, until it is closed.

import type { Clock } from "../../platform/clock.ts";

/** A connection: ready for a while, perhaps, and over once. */
export interface Connection {
  readonly isReady: boolean;
  close(): Promise<void>;
}

/** What a connection tells. */
export interface ConnectionWatch {
  readonly onReady: () => void;
  /** Called once. */
  readonly onEnd: (reason: string) => void;
}

export interface LinkOptions<C extends Connection> extends ConnectionWatch {
  readonly clock: Clock;
  readonly connect: (watch: ConnectionWatch) => C;
  /** Gives 0 to 1. */
  readonly random: () => number;
}

export class Link<C extends Connection> {
  readonly #options: LinkOptions<C>;
  #connection: C | undefined;
  #failures = 0;
  #isClosed = false;
  #cancelRetry = () => {};

  constructor(options: LinkOptions<C>) {
    this.#options = options;
  }

  /** Its connection if that is ready. */
  get ready(): C | undefined {
    return this.#connection?.isReady ? this.#connection : undefined;
  }

  open(): void {
    const { connect, onReady, onEnd } = this.#options;
    this.#connection = connect({
      onReady: () => {
        this.#failures = 0;
        onReady();
      },
      onEnd: (reason) => {
        if (!this.#isClosed) this.#retry();
        onEnd(reason);
      },
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    await this.#connection?.close();
  }

  #retry(): void {
    const { clock, random } = this.#options;
    this.#cancelRetry = clock.at(clock.now() + choosePause(this.#failures, random), () => this.open());
    this.#failures += 1;
  }
}

const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * How long to wait before the next attempt to connect, in milliseconds: about twice as long after each that failed, 1 s to
 * 60 s, so that many who lost the same carrier do not come back together. `random` gives 0 to 1.
 */
export function choosePause(failures: number, random: () => number): number {
  const most = Math.min(2 * SHORTEST_MS * 2 ** failures, LONGEST_MS);
  return (most / 2) * (1 + random());
}
