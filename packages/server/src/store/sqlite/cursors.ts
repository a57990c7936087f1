// Long lists of a database file, read by a thread of its own: a cold disk, or a search that finds little, holds up
// nobody else there. Only the page that was asked for comes over.

import { Worker } from "node:worker_threads";
import { type Query, StoreUnavailable } from "../store.ts";
import { createNamer } from "./connection.ts";
import { Cursor, type Page } from "./cursor.ts";

/** The thread costs 40 ms to start and 15 MB while it is there: it outlasts the pause between two lists. */
const IDLE_MS = 10_000;

/** The query comes with each, so that the first one opens the cursor. */
export type CursorRequest =
  | { readonly ask: "next"; readonly id: number; readonly query: Query<unknown> }
  | { readonly ask: "close"; readonly id: number };

export type CursorAnswer =
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

export interface Cursors {
  readPages<Row>(query: Query<Row>): AsyncIterableIterator<Row[]>;
  /** Gives up the open ones. */
  close(): Promise<void>;
}

/** Cursors on the database at `path`: in `thread`, the built `cursor-thread`, or without one in this thread. */
export function createCursors(path: string, thread: URL | undefined): Cursors {
  const reader = thread === undefined ? undefined : new CursorThread(path, thread);
  return {
    readPages: <Row>(query: Query<Row>) => pagesOf<Row>(() => reader?.open(query) ?? openHere(path, query)),
    close: async () => reader?.close(),
  };
}

async function* pagesOf<Row>(open: () => OpenCursor): AsyncGenerator<Row[], void, undefined> {
  const cursor = open();
  try {
    let page = await cursor.next();
    const nameColumns = createNamer(page.columns);
    while (!page.isLast) {
      // read while this one is on its way
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

function openHere(path: string, query: Query<unknown>): OpenCursor {
  let cursor: Cursor | undefined;
  return {
    async next() {
      cursor ??= new Cursor(path, query);
      return cursor.next();
    },
    close: () => cursor?.close(),
  };
}

class CursorThread {
  readonly #path: string;
  readonly #program: URL;
  readonly #waiting = new Map<number, Waiting>();
  readonly #open = new Set<number>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(path: string, program: URL) {
    this.#path = path;
    this.#program = program;
  }

  open(query: Query<unknown>): OpenCursor {
    const id = ++this.#lastId;
    const worker = this.#start();
    this.#open.add(id);
    const post = (request: CursorRequest) => worker.postMessage(request);
    return {
      next: () =>
        new Promise<Page>((resolve, reject) => {
          // it failed, and its cursors with it: what a new one would give is of another moment
          if (worker !== this.#worker) return reject(new StoreUnavailable("the thread that read the list has ended"));
          this.#waiting.set(id, { resolve, reject });
          post({ ask: "next", id, query });
        }),
      close: () => {
        if (!this.#open.delete(id) || worker !== this.#worker) return;
        post({ ask: "close", id });
        if (this.#open.size === 0) this.#endWhenIdle();
      },
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#end(new StoreUnavailable("the store is closed"));
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
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (waiting === undefined) return;
    if ("page" in answer) {
      waiting.resolve(JSON.parse(answer.page) as Page);
      return;
    }
    const { message, isUnavailable } = answer.fault;
    waiting.reject(isUnavailable ? new StoreUnavailable(message) : new Error(message));
  }

  #endWhenIdle(): void {
    this.#idle = setTimeout(() => this.#end(new StoreUnavailable("the thread that reads lists was idle")), IDLE_MS);
    this.#idle.unref();
  }

  async #end(reason: StoreUnavailable): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#open.clear();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    await worker?.terminate();
  }
}
