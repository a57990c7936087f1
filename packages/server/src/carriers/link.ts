// Keeps one connection to a carrier open: reconnects whenever a connection ends, until the link is closed.

import type { Clock } from "../platform/clock.ts";

/** A connection. It may become ready, and it ends once. */
export interface Connection {
  readonly isReady: boolean;
  close(): Promise<void>;
}

/** Callbacks of a connection. */
export interface ConnectionWatch {
  readonly onReady: () => void;
  /** Called once. */
  readonly onEnd: (reason: string) => void;
}

export interface LinkOptions<C extends Connection> extends ConnectionWatch {
  readonly clock: Clock;
  readonly connect: (watch: ConnectionWatch) => C;
  /** Returns 0 to 1. */
  readonly random: () => number;
}

/** Describes why a connection failed. If attempts at several addresses failed, the error has a code but no message. */
export function wordsOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code);
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

  /** The connection if it is ready. */
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
 * Chooses the pause before the next attempt to connect, in milliseconds. It grows exponentially, with jitter so that
 * many clients do not reconnect at the same moment. `random` returns 0 to 1.
 */
export function choosePause(failures: number, random: () => number): number {
  const most = Math.min(2 * SHORTEST_MS * 2 ** failures, LONGEST_MS);
  return (most / 2) * (1 + random());
}

/** If there are more chunks than this, they are joined: an object for each received byte takes a hundred times the memory. */
const MOST_CHUNKS = 64;

/** Queue of the bytes that a connection received. */
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

  /** Returns at least the first `count` bytes as one buffer, or all bytes if there are fewer. Does not remove them. */
  peek(count: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && (first.length >= count || this.#chunks.length === 1)) return first;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  /** Removes and returns the first `count` bytes. The queue must have that many. */
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
