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

/** Small chunks are joined from time to time: as many objects as bytes would take a hundred times the memory. */
const MOST_CHUNKS = 64;

/** Bytes as they come from a connection, of which so many are taken from the front. */
export class ByteQueue {
  #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#chunks.length > MOST_CHUNKS) this.peek(this.#length);
  }

  /** The first `count` bytes or more, in one piece, which stay; all there are if these are fewer. */
  peek(count: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && (first.length >= count || this.#chunks.length === 1)) return first;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  /** Removes the first `count` bytes, which are there. */
  take(count: number): Buffer {
    const first = this.peek(count);
    this.#chunks[0] = first.subarray(count);
    this.#length -= count;
    return first.subarray(0, count);
  }
}

/** Waits for work to end, but no longer than `timeoutMs`. */
export async function endWithin(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.at(clock.now() + timeoutMs, resolve);
  });
  await Promise.race([work, timeout]);
  cancel();
}
