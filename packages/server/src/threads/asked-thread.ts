// A thread that is started when something is first asked of it, and answers by number.

import { parentPort, Worker } from "node:worker_threads";
import { StoreUnavailable } from "../store/store.ts";

type Asked<Request> = { readonly id: number; readonly request: Request };

type Said<Answer, Told> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly fault: { readonly message: string; readonly isUnavailable: boolean } }
  | { readonly told: Told };

export interface AskedThreadOptions<Told> {
  /** The built program, which calls `answerRequests`. */
  readonly program: URL;
  /** The program's `workerData`. */
  readonly data: unknown;
  /** How much its objects may take, in MiB. */
  readonly mostMemoryMiB: number;
  /** Called with what it says unasked. */
  readonly onTold?: (told: Told) => void;
  /** Called when it has failed. What was asked of it is refused; the next request starts another. */
  readonly onFailure: (error: unknown) => void;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export class AskedThread<Request, Answer, Told = never> {
  readonly #options: AskedThreadOptions<Told>;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: AskedThreadOptions<Told>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** `transfer` goes to the thread without a copy, and is gone here. */
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

  #settle(said: Exclude<Said<Answer, Told>, { told: Told }>): void {
    const waiting = this.#waiting.get(said.id);
    this.#waiting.delete(said.id);
    if ("answer" in said) waiting?.resolve(said.answer);
    else {
      const { message, isUnavailable } = said.fault;
      waiting?.reject(isUnavailable ? new StoreUnavailable(message) : new Error(message));
    }
  }
}

/** In the thread: answers each request. Returns what says something unasked. */
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
