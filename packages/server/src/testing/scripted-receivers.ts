// For tests of callbacks: receivers on the test's virtual clock, so that a timeout of fifteen seconds takes no real time.

import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { callbackJobs } from "../dispatch/callbacks/claim.ts";
import {
  type CallbackDispatcher,
  type CallbackDispatcherOptions,
  createCallbackDispatcher,
} from "../dispatch/callbacks/dispatcher.ts";
import type { Poster, PostResult } from "../dispatch/callbacks/post.ts";
import { createJobRunner } from "../dispatch/jobs/runner.ts";
import { enqueueCallback } from "../domain/callbacks/rows.ts";
import { readCallbackSecrets } from "../domain/callbacks/secrets.ts";
import { systemRandomness } from "../platform/randomness.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "../platform/secret-box.ts";
import { checkInvariants } from "../store/invariants.ts";
import type { Store } from "../store/store.ts";
import { alterTransaction } from "./altered-transaction.ts";

export const startMs = Date.UTC(2026, 0, 15, 12);
/** The timeout of an attempt, as in production. */
export const ATTEMPT_MS = 15_000;

/** A receiver's status, and the milliseconds until it is sent. Without a status the attempt times out. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly afterMs?: number;
  readonly retryAfter?: string;
}

export interface Posted {
  readonly url: string;
  readonly name: string;
  readonly port: string;
  /** The callback's data, as the test enqueued it. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** The requests in flight at the receiver, including this one. */
  readonly openAtReceiver: number;
}

export interface ScriptedWorld {
  readonly store: Store;
  readonly clock: VirtualClock;
  /** The current dispatcher. */
  readonly dispatcher: CallbackDispatcher;
  /** Stops the dispatcher and replaces it, as a new process would. */
  replaceDispatcher(): Promise<void>;
  readonly posted: Posted[];
  readonly logged: string[];
  /** The number of statements in each transaction of the dispatcher and the jobs. */
  readonly statementCounts: number[];
  enqueue(url: string, of: { tenantId: number; requestId: number; data?: object }): Promise<void>;
  /** Enqueues several callbacks in one transaction. */
  enqueueAll(events: readonly { url: string; tenantId: number; requestId: number; data?: object }[]): Promise<void>;
  notify(): void;
  /** Makes the job runner look for due jobs. */
  wakeJobs(): void;
  count(status: string): Promise<number>;
  faults(): Promise<unknown[]>;
  close(): Promise<void>;
}

const box = createSecretBox(() => [Buffer.alloc(SECRET_KEY_BYTES, "for tests only")]);

/** Creates, for tenants 1 to `tenants`, a dispatcher, a job runner, and receivers that answer as `answer` returns. */
export async function createScriptedWorld(
  answer: (posted: Posted) => ScriptedAnswer,
  options: Partial<CallbackDispatcherOptions> & {
    tenants?: number;
    openStore: (clock: { now: () => number }) => Promise<Store>;
  },
): Promise<ScriptedWorld> {
  const { tenants = 1, openStore, ...settings } = options;
  const clock = createVirtualClock(startMs);
  const database = await openStore(clock);
  const { store, statementCounts, isWriting } = countStatements(database);
  await database.write(async (tx) => {
    for (let tenantId = 1; tenantId <= tenants; tenantId += 1) {
      await tx.run("INSERT INTO tenants (name, timezone, created_at) VALUES ($1, 'UTC', $2)", `T${tenantId}`, startMs);
    }
  });
  const logged: string[] = [];
  const log = (details: object, text: string) => logged.push(`${text} ${JSON.stringify(details)}`);
  const logger = { warn: log, error: log };
  const { poster, posted } = createScriptedPoster(clock, answer);
  const ignore = () => {};
  const jobs = createJobRunner({
    ...{ store, clock, logger, handlers: callbackJobs },
    ...{ notifyDispatcher: ignore, notifySynthesizer: ignore, notifyCallbacks: () => dispatcher.notify() },
  });
  const openDispatcher = () =>
    createCallbackDispatcher({
      ...{ store, clock, logger, poster, drainMs: 0, randomness: { ...systemRandomness, fraction: () => 0 } },
      readSecrets: (tx, owner) => readCallbackSecrets(tx, box, owner),
      notifyJobs: () => jobs.notify(),
      ...settings,
    });
  let dispatcher = openDispatcher();
  // attempts in flight do not count as busy: they wait for the clock, and must not stop it
  clock.watch(() => isWriting() || jobs.isBusy());
  jobs.start();
  const enqueueAll: ScriptedWorld["enqueueAll"] = (events) =>
    database.write(async (tx) => {
      for (const { data = {}, ...event } of events) {
        await enqueueCallback(tx, { ...event, type: "voice.tts_call.updated", data, now: clock.now() });
      }
    });
  return {
    ...{ store: database, clock, posted, logged, statementCounts, enqueueAll },
    get dispatcher() {
      return dispatcher;
    },
    async replaceDispatcher() {
      await dispatcher.stop();
      dispatcher = openDispatcher();
    },
    enqueue: (url, of) => enqueueAll([{ url, ...of }]),
    notify: () => dispatcher.notify(),
    wakeJobs: () => jobs.notify(),
    async count(status) {
      const statement = "SELECT COUNT(*) AS count FROM callbacks WHERE status = $1";
      return (await database.read((tx) => tx.get<{ count: number }>(statement, status)))?.count ?? 0;
    },
    faults: async () => (await database.read(checkInvariants)).filter(({ faults }) => faults.length > 0),
    async close() {
      await Promise.all([dispatcher.stop(), jobs.stop()]);
      await database.close();
    },
  };
}

function createScriptedPoster(clock: VirtualClock, answer: (posted: Posted) => ScriptedAnswer) {
  const posted: Posted[] = [];
  const open = new Map<string, number>();
  const cuts = new Set<() => void>();
  const poster: Poster = {
    post({ url, body }) {
      const { hostname: name, port } = new URL(url);
      const openAtReceiver = (open.get(name) ?? 0) + 1;
      open.set(name, openAtReceiver);
      const { data } = JSON.parse(body) as { data: Record<string, unknown> };
      const request = { url, name, port, data, at: clock.now(), openAtReceiver };
      posted.push(request);
      const { status, afterMs = status === undefined ? ATTEMPT_MS : 0, retryAfter } = answer(request);
      return new Promise<PostResult>((resolve) => {
        const end = (result: PostResult) => {
          cancel();
          cuts.delete(cut);
          open.set(name, (open.get(name) ?? 1) - 1);
          resolve(result);
        };
        const cut = () => end({ status: undefined, outcome: "interrupted" });
        const cancel = clock.at(clock.now() + afterMs, () =>
          end({ status, retryAfter, outcome: status === undefined ? "timeout" : String(status) }),
        );
        cuts.add(cut);
      });
    },
    close() {
      for (const cut of cuts) cut();
    },
  };
  return { poster, posted };
}

/** Counts the statements of each transaction, and tracks whether one is in progress. */
function countStatements(database: Store): { store: Store; statementCounts: number[]; isWriting: () => boolean } {
  const statementCounts: number[] = [];
  let writing = 0;
  const write: Store["write"] = async (work, priority) => {
    writing += 1;
    try {
      return await database.write((tx) => {
        let statements = 0;
        const count = <Args extends unknown[], Result>(call: (...args: Args) => Result) => {
          return (...args: Args): Result => {
            statements += 1;
            return call(...args);
          };
        };
        const counted = { get: count(tx.get.bind(tx)), all: count(tx.all.bind(tx)), run: count(tx.run.bind(tx)) };
        const result = work(alterTransaction(tx, counted));
        return result.finally(() => statementCounts.push(statements));
      }, priority);
    } finally {
      writing -= 1;
    }
  };
  return { store: { ...database, write }, statementCounts, isWriting: () => writing > 0 };
}
