// A bounded pool of threads for work on what came from outside and may cost more than the server's own thread can give. A
// thread starts with the first task, and ends once it was idle.

import { clearTimeout, setTimeout } from "../platform/timers.ts";
import { StoreUnavailable } from "../store/store.ts";
import { AskedThread } from "./asked-thread.ts";

export interface ThreadPoolOptions {
  /** The built program, which calls `answerRequests`. */
  readonly program: URL;
  /** How long a task may take, in milliseconds. @default 10 s, which only a hang takes: an idle machine needs 0.2 s */
  readonly mostMs?: number;
  /** Called when a thread has failed. */
  readonly onFailure: (error: unknown) => void;
}

/** A task that took more memory or time than any may. Trying it again would end the same. */
export class TaskTooCostly extends Error {
  override readonly name = "TaskTooCostly";
}

/** A hostile mail takes up to 0.2 s of one, a report 2 ms: a second would take from the sends what it gives to mails. */
const MOST_THREADS = 1;
/** Tasks that wait: more are refused, and whoever brought them tries again. */
const MOST_WAITING = 64;
/** Memory for a thread's objects: a third of it is enough for any mail. */
const MEMORY_MIB = 24;
const MOST_MS = 10_000;
const CLOSED = "the threads are closed";
/** A thread takes 40 ms to start and 15 MB while it runs. */
const IDLE_MS = 10_000;

interface PooledThread<Request, Answer> {
  readonly asked: AskedThread<Request, Answer>;
  /** Why its last task ended it. */
  overrun?: string | undefined;
  idle?: NodeJS.Timeout | undefined;
}

interface Waiting<Thread> {
  readonly resolve: (thread: Thread) => void;
  readonly reject: (error: unknown) => void;
}

export class ThreadPool<Request, Answer> {
  readonly #options: ThreadPoolOptions;
  readonly #free: PooledThread<Request, Answer>[] = [];
  readonly #all: PooledThread<Request, Answer>[] = [];
  readonly #waiting: Waiting<PooledThread<Request, Answer>>[] = [];
  #isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** How many threads run. */
  get threads(): number {
    return this.#all.filter(({ asked }) => asked.isRunning).length;
  }

  /** Rejects with a `TaskTooCostly`, or with a `StoreUnavailable` where there is no room now. */
  async run(request: Request): Promise<Answer> {
    const thread = await this.#take();
    const end = (overrun: string) => {
      thread.overrun = overrun;
      void thread.asked.end(overrun);
    };
    const mostMs = this.#options.mostMs ?? MOST_MS;
    const alarm = setTimeout(() => end(`it took more than ${mostMs / 1_000} s`), mostMs);
    try {
      return await thread.asked.ask(request);
    } catch (error) {
      throw thread.overrun === undefined ? error : new TaskTooCostly(thread.overrun, { cause: error });
    } finally {
      clearTimeout(alarm);
      thread.overrun = undefined;
      this.#giveBack(thread);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new StoreUnavailable(CLOSED));
    for (const { idle } of this.#all) clearTimeout(idle);
    await Promise.all(this.#all.map(({ asked }) => asked.end()));
  }

  async #take(): Promise<PooledThread<Request, Answer>> {
    if (this.#isClosed) throw new StoreUnavailable(CLOSED);
    const thread = this.#free.pop() ?? this.#add();
    if (thread !== undefined) {
      clearTimeout(thread.idle);
      return thread;
    }
    if (this.#waiting.length >= MOST_WAITING) throw new StoreUnavailable("too many tasks wait for a thread");
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #add(): PooledThread<Request, Answer> | undefined {
    if (this.#all.length >= MOST_THREADS) return undefined;
    const thread: PooledThread<Request, Answer> = {
      asked: new AskedThread({
        program: this.#options.program,
        data: undefined,
        mostMemoryMiB: MEMORY_MIB,
        onFailure: (error) => {
          const isOutOfMemory = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
          if (isOutOfMemory) thread.overrun = `it took more than ${MEMORY_MIB} MiB of memory`;
          this.#options.onFailure(error);
        },
      }),
    };
    this.#all.push(thread);
    return thread;
  }

  #giveBack(thread: PooledThread<Request, Answer>): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free.push(thread);
      if (!this.#isClosed) thread.idle = setTimeout(() => void thread.asked.end(), IDLE_MS).unref();
    } else next.resolve(thread);
  }
}
