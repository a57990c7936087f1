// A thread for work on what came from outside and may cost more than the server's own thread can give. It does one task at a
// time, round-robin by owner, starts with the first, and ends once it was idle.

import { FairSemaphore, type SemaphoreBounds } from "../platform/fair-line.ts";
import { clearTimeout, setTimeout } from "../platform/timers.ts";
import { StoreUnavailable } from "../store/store.ts";
import { AskedThread } from "./asked-thread.ts";

export interface BoundedThreadOptions {
  /** The built program, which calls `answerRequests`. */
  readonly program: URL;
  /** Memory for its objects, in MiB. */
  readonly memoryMiB: number;
  /** How many tasks may wait: more are refused, and whoever brought them tries again. @default any number */
  readonly mostWaiting?: SemaphoreBounds["mostWaiting"];
  /** How long a task may take, in milliseconds. @default 10 s, which only a hang takes: an idle machine needs 0.2 s */
  readonly mostMs?: number;
  /** How long it runs without a task, in milliseconds. */
  readonly idleMs: number;
  /** Called when the thread has failed. */
  readonly onFailure: (error: unknown) => void;
}

/** A task that took more memory or time than any may. Trying it again would end the same. */
export class TaskTooCostly extends Error {
  override readonly name = "TaskTooCostly";
}

const MOST_MS = 10_000;
const CLOSED = "the thread is closed";
/** The owner of tasks that belong to none. */
const NOBODY = 0;

export class BoundedThread<Request, Answer> {
  readonly #mostMs: number;
  readonly #idleMs: number;
  readonly #turns: FairSemaphore;
  readonly #thread: AskedThread<Request, Answer>;
  #isClosed = false;
  /** Why the task at work ended the thread. */
  #overrun: string | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ program, memoryMiB, mostWaiting, mostMs = MOST_MS, idleMs, onFailure }: BoundedThreadOptions) {
    this.#mostMs = mostMs;
    this.#idleMs = idleMs;
    this.#turns = new FairSemaphore({
      atOnce: 1,
      ...(mostWaiting === undefined ? {} : { mostWaiting }),
      refuse: (reason) => new StoreUnavailable(reason === "closed" ? CLOSED : "too many tasks wait for a thread"),
    });
    this.#thread = new AskedThread({
      program,
      data: undefined,
      mostMemoryMiB: memoryMiB,
      onFailure: (error) => {
        const isOutOfMemory = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
        if (isOutOfMemory) this.#overrun = `it took more than ${memoryMiB} MiB of memory`;
        onFailure(error);
      },
    });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Rejects with a `TaskTooCostly`, or with a `StoreUnavailable` where there is no room now. See `AskedThread.ask` for
   * `transfer`.
   */
  run(request: Request, { owner = NOBODY, transfer = [] as readonly ArrayBuffer[] } = {}): Promise<Answer> {
    return this.#turns.run(owner, () => this.#ask(request, transfer));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#turns.close();
    clearTimeout(this.#idle);
    await this.#thread.end();
  }

  async #ask(request: Request, transfer: readonly ArrayBuffer[]): Promise<Answer> {
    clearTimeout(this.#idle);
    const alarm = setTimeout(() => {
      this.#overrun = `it took more than ${this.#mostMs / 1_000} s`;
      void this.#thread.end(this.#overrun);
    }, this.#mostMs);
    try {
      return await this.#thread.ask(request, transfer);
    } catch (error) {
      throw this.#overrun === undefined ? error : new TaskTooCostly(this.#overrun, { cause: error });
    } finally {
      clearTimeout(alarm);
      this.#overrun = undefined;
      if (!this.#isClosed) this.#idle = setTimeout(() => void this.#thread.end(), this.#idleMs).unref();
    }
  }
}
