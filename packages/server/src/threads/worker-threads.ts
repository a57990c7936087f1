// Worker threads that start with the first request: one that answers any number at once, and one that is bounded in memory and
// time.

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
  /** The built program, which calls `answerRequests`. */
  readonly program: URL;
  /** The program's `workerData`. */
  readonly data: unknown;
  /** The most memory of its objects, in MiB. */
  readonly mostMemoryMiB: number;
  /** Called with messages of the thread that are no answers. */
  readonly onTold?: (told: Told) => void;
  /** Called when the thread has failed. Its requests are rejected; the next one starts another thread. */
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

  /** Sends a request. Buffers of `transfer` move to the thread without a copy. */
  ask(request: Request, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    const id = ++this.#lastId;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, request } satisfies Asked<Request>, transfer);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Ends the thread. The next request starts another. */
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

/** Answers each request, in the thread. Returns a function that sends `onTold` a message. */
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
  /** The built program, which calls `answerRequests`. */
  readonly program: URL;
  /** The most memory of its objects, in MiB. */
  readonly memoryMiB: number;
  /** Most tasks in the queue; more are rejected with a `StoreUnavailable`. @default any number */
  readonly mostWaiting?: SemaphoreBounds["mostWaiting"];
  /** Time limit of a task, in milliseconds. @default 10 s, which only a hang takes */
  readonly mostMs?: number;
  /** Time that it runs without a task, in milliseconds. */
  readonly idleMs: number;
  /** Called when the thread has failed. */
  readonly onFailure: (error: unknown) => void;
}

/** A task that exceeded the limits of memory or time, and would do so again. */
export class TaskTooCostly extends Error {
  override readonly name = "TaskTooCostly";
}

/**
 * A thread for untrusted input that may cost more than the server's own thread can give. It does one task at a time,
 * round-robin by owner, starts with the first, and ends when idle.
 */
export class BoundedThread<Request, Answer> {
  readonly #mostMs: number;
  readonly #idleMs: number;
  readonly #turns: FairSemaphore;
  readonly #thread: AskedThread<Request, Answer>;
  #isClosed = false;
  /** The reason why the task at work ended the thread. */
  #overrun: string | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor({ program, memoryMiB, mostWaiting, mostMs = 10_000, idleMs, onFailure }: BoundedThreadOptions) {
    this.#mostMs = mostMs;
    this.#idleMs = idleMs;
    this.#turns = new FairSemaphore({
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
        if (isOutOfMemory) this.#overrun = `it took more than ${memoryMiB} MiB of memory`;
        onFailure(error);
      },
    });
  }

  get isRunning(): boolean {
    return this.#thread.isRunning;
  }

  /** Rejects with a `TaskTooCostly`, or a `StoreUnavailable` if there is no room. `transfer` is as of `AskedThread.ask`. */
  run(request: Request, { owner = 0, transfer = [] as readonly ArrayBuffer[] } = {}): Promise<Answer> {
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
