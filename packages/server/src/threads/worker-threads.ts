// Worker threads that start with the first request: one that handles any number of requests at once, and one that is
// limited in memory and time.

import { parentPort, Worker } from "node:worker_threads";
import { FairSemaphore, type SemaphoreBounds } from "../platform/fair-queue.ts";
import { clearTimeout, setTimeout } from "../platform/timers.ts";
import { StoreUnavailable } from "../store/store.ts";

type Asked<Request> = { readonly id: number; readonly request: Request };

type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly fault: { readonly message: string; readonly isUnavailable: boolean } };

type Said<Answer, Told> = Answered<Answer> | { readonly told: Told };

interface AskedThreadOptions<Told> {
  /** The compiled program, which calls `answerRequests`. */
  readonly program: URL;
  /** The program's `workerData`. */
  readonly data: unknown;
  /** Memory limit for the thread's objects, in MiB. */
  readonly mostMemoryMiB: number;
  /** Called with messages of the thread that are not answers. */
  readonly onTold?: (told: Told) => void;
  /** Called when the thread has failed. Pending requests are rejected; the next request starts a new thread. */
  readonly onFailure: (error: unknown) => void;
}

export class AskedThread<Request, Answer, Told = never> {
  readonly #options: AskedThreadOptions<Told>;
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: unknown): void }>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: AskedThreadOptions<Told>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Sends a request. The buffers in `transfer` are moved to the thread, not copied. */
  ask(request: Request, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    const id = ++this.#lastId;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, request } satisfies Asked<Request>, transfer);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Ends the thread. The next request starts a new one. */
  async end(reason = "the thread has ended"): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new StoreUnavailable(reason));
    this.#waiting.clear();
    await worker?.terminate();
  }

  #start(): Worker {
    const { program, data, mostMemoryMiB, onTold, onFailure } = this.#options;
    const worker = new Worker(program, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMiB, maxYoungGenerationSizeMb: 8 },
    });
    worker.unref();
    worker.on("message", (said: Said<Answer, Told>) => {
      if (worker !== this.#worker) return;
      if ("told" in said) onTold?.(said.told);
      else this.#settle(said);
    });
    worker.on("error", (error) => {
      if (worker !== this.#worker) return;
      void this.end("the thread has failed");
      onFailure(error);
    });
    return worker;
  }

  #settle(said: Answered<Answer>): void {
    const waiting = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    if ("answer" in said) waiting?.resolve(said.answer);
    else {
      const { message, isUnavailable } = said.fault;
      waiting?.reject(isUnavailable ? new StoreUnavailable(message) : new Error(message));
    }
  }
}

/** Runs inside the thread and answers each request. Returns a function that sends a message to `onTold`. */
export function answerRequests<Request, Answer, Told = never>(
  answer: (request: Request) => Answer | Promise<Answer>,
): (told: Told) => void {
  const say = (said: Said<Answer, Told>) => parentPort?.postMessage(said);
  parentPort?.on("message", async ({ id, request }: Asked<Request>) => {
    try {
      say({ id, answer: await answer(request) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      say({ id, fault: { message, isUnavailable: error instanceof StoreUnavailable } });
    }
  });
  return (told) => say({ told });
}

interface BoundedThreadOptions {
  /** The compiled program, which calls `answerRequests`. */
  readonly program: URL;
  /** Memory limit for the thread's objects, in MiB. */
  readonly memoryMiB: number;
  /** Maximum queue length. Further tasks are rejected with a `StoreUnavailable`. @default unlimited */
  readonly mostWaiting?: SemaphoreBounds["mostWaiting"];
  /** Time limit of a task, in milliseconds. @default 10 000, which only a hanging task reaches */
  readonly mostMs?: number;
  /** Idle time after which the thread ends, in milliseconds. */
  readonly idleMs: number;
  /** Called when the thread has failed. */
  readonly onFailure: (error: unknown) => void;
}

/** Thrown if a task exceeded its memory or time limit. Repeating the task would fail again. */
export class TaskTooCostly extends Error {
  override readonly name = "TaskTooCostly";
}

/**
 * A thread for untrusted input that may be too expensive for the server's main thread. It runs one task at a time,
 * round-robin by owner. It starts with the first task and ends when idle.
 */
export class BoundedThread<Request, Answer> {
  readonly #mostMs: number;
  readonly #idleMs: number;
  readonly #semaphore: FairSemaphore;
  readonly #thread: AskedThread<Request, Answer>;
  #isClosed = false;
  /** Limit that the current task exceeded, which ended the thread. */
  #overrun: string | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ program, memoryMiB, mostWaiting, mostMs = 10_000, idleMs, onFailure }: BoundedThreadOptions) {
    this.#mostMs = mostMs;
    this.#idleMs = idleMs;
    this.#semaphore = new FairSemaphore({
      atOnce: 1,
      ...(mostWaiting === undefined ? {} : { mostWaiting }),
      refuse: (reason) =>
        new StoreUnavailable(reason === "closed" ? "the thread is closed" : "too many tasks wait for a thread"),
    });
    this.#thread = new AskedThread({
      program,
      data: undefined,
      mostMemoryMiB: memoryMiB,
      onFailure: (error) => {
        const isOutOfMemory = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
        if (isOutOfMemory) this.#overrun = `the task took more than ${memoryMiB} MiB of memory`;
        onFailure(error);
      },
    });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /**
   * Rejects with a `TaskTooCostly`, or with a `StoreUnavailable` if the queue is full. For `transfer`, see
   * `AskedThread.ask`.
   */
  run(request: Request, { owner = 0, transfer = [] as readonly ArrayBuffer[] } = {}): Promise<Answer> {
    return this.#semaphore.run(owner, () => this.#ask(request, transfer));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#semaphore.close();
    clearTimeout(this.#idle);
    await this.#thread.end();
  }

  async #ask(request: Request, transfer: readonly ArrayBuffer[]): Promise<Answer> {
    clearTimeout(this.#idle);
    const alarm = setTimeout(() => {
      this.#overrun = `the task took more than ${this.#mostMs / 1_000} s`;
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
