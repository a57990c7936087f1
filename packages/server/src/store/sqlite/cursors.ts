// Reads long lists of a database file in a separate thread, where a cold disk or a search with few matches delays
// nothing else. Only the requested page is copied.

import { Worker } from "node:worker_threads";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";
import { type Query, StoreUnavailable } from "../store.ts";
import { createNamer } from "./connection.ts";
import { Cursor, type LetGo, type Moments, type Page } from "./readers.ts";

/** Time after which an idle thread is ended. It is kept for a while because it is slow to start. */
const IDLE_MS = 10_000;

/** Every `next` carries the query, because the first one opens the cursor. */
export type CursorRequest =
  | { readonly ask: "next"; readonly id: number; readonly query: Query<unknown> }
  | { readonly ask: "close"; readonly id: number }
  | { readonly ask: "closeAll" };

export type CursorAnswer =
  | { readonly areClosed: true }
  | { readonly id: number; readonly page: string }
  | { readonly id: number; readonly fault: { readonly message: string; readonly isUnavailable: boolean } };

interface OpenCursor {
  next(): Promise<Page>;
  close(): void;
}

interface Waiting {
  readonly resolve: (page: Page) => void;
  readonly reject: (reason: unknown) => void;
}

/** Reads long lists. Without a cursor thread, lists cannot be cut off: `giveUp` and `close` wait until they end. */
export interface Cursors {
  readPages<Row>(query: Query<Row>): AsyncIterableIterator<Row[]>;
  /** Cuts off the open lists, and resolves when all have released their snapshots. */
  giveUp(): Promise<void>;
  /** Like `giveUp`, but permanently. */
  close(): Promise<void>;
}

/** Creates cursors on the database at `path`. They run in `thread` (the built `cursor-thread`), or else in this thread. */
export function createCursors(path: string, thread: URL | undefined, moments: Moments): Cursors {
  const reader = thread === undefined ? undefined : new CursorThread(path, thread);
  const open = (query: Query<unknown>, letGo: LetGo) => reader?.open(query, letGo) ?? openHere(path, query, letGo);
  return {
    readPages: async function* <Row>(query: Query<Row>) {
      const letGo = await moments.take();
      yield* pagesOf<Row>(open(query, letGo));
    },
    giveUp: async () => reader?.closeAll(),
    close: async () => reader?.close(),
  };
}

async function* pagesOf<Row>(cursor: OpenCursor): AsyncGenerator<Row[], void, undefined> {
  try {
    let page = await cursor.next();
    const nameColumns = createNamer(page.columns);
    while (!page.isLast) {
      // the next page is read while the caller consumes this one
      const following = cursor.next();
      following.catch(() => {});
      yield page.rows.map(nameColumns) as Row[];
      page = await following;
    }
    yield page.rows.map(nameColumns) as Row[];
  } finally {
    cursor.close();
  }
}

function openHere(path: string, query: Query<unknown>, letGo: LetGo): OpenCursor {
  let cursor: Cursor | undefined;
  return {
    async next() {
      cursor ??= new Cursor(path, query);
      return cursor.next();
    },
    close() {
      cursor?.close();
      letGo();
    },
  };
}

class CursorThread {
  readonly #path: string;
  readonly #program: URL;
  readonly #waiting = new Map<number, Waiting>();
  readonly #open = new Map<number, LetGo>();
  #worker: Worker | undefined;
  /** The error with which a cursor that is no longer open rejects `next`. */
  #reason = new StoreUnavailable("the list has ended");
  #onClosed: () => void = () => {};
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(path: string, program: URL) {
    this.#path = path;
    this.#program = program;
  }

  open(query: Query<unknown>, letGo: LetGo): OpenCursor {
    const id = ++this.#lastId;
    const worker = this.#start();
    this.#open.set(id, letGo);
    const post = (request: CursorRequest) => worker.postMessage(request);
    return {
      next: () =>
        new Promise<Page>((resolve, reject) => {
          // Reject: a new cursor would read another snapshot.
          if (!this.#open.has(id)) return reject(this.#reason);
          this.#waiting.set(id, { resolve, reject });
          post({ ask: "next", id, query });
        }),
      close: () => {
        if (!this.#open.has(id)) return;
        post({ ask: "close", id });
        this.#letGo(id);
      },
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#end(new StoreUnavailable("the store is closed"));
  }

  /** Cuts off the open cursors, and waits until the thread has closed every cursor. */
  async closeAll(): Promise<void> {
    if (this.#worker === undefined) return;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    this.#worker.postMessage({ ask: "closeAll" } satisfies CursorRequest);
    this.#giveUp(new StoreUnavailable("the list was cut off: while it was read, the database's log reached its limit"));
    await closed;
    if (this.#open.size === 0) this.#endWhenIdle();
  }

  #start(): Worker {
    clearTimeout(this.#idle);
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#program, {
      workerData: this.#path,
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    worker.on("message", (answer: CursorAnswer) => this.#settle(answer));
    worker.on("error", (error) => {
      const failed = new StoreUnavailable("the thread that reads lists failed", { cause: error });
      if (worker === this.#worker) this.#end(failed);
    });
    this.#worker = worker;
    return worker;
  }

  #settle(answer: CursorAnswer): void {
    if ("areClosed" in answer) {
      this.#onClosed();
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (waiting === undefined) return;
    if ("page" in answer) {
      const page = JSON.parse(answer.page) as Page;
      // the thread closes a cursor after its last page, however long the client takes to consume it
      if (page.isLast) this.#letGo(answer.id);
      waiting.resolve(page);
      return;
    }
    this.#letGo(answer.id);
    const { message, isUnavailable } = answer.fault;
    waiting.reject(isUnavailable ? new StoreUnavailable(message) : new Error(message));
  }

  #letGo(id: number): void {
    this.#open.get(id)?.();
    if (this.#open.delete(id) && this.#open.size === 0) this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(new StoreUnavailable("the thread that reads lists was idle")), IDLE_MS);
    this.#idle.unref();
  }

  async #end(reason: StoreUnavailable): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#giveUp(reason);
    this.#onClosed();
    await worker?.terminate();
  }

  #giveUp(reason: StoreUnavailable): void {
    this.#reason = reason;
    for (const letGo of this.#open.values()) letGo();
    this.#open.clear();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}
