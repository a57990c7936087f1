// The only writer of the database. Writes that arrive while the previous group is being flushed are committed together.
// So fifty sends share one flush, and each reply still waits until its own write is on disk.

import { nextTurn as eventLoopTurn, type NextTurn, systemClock } from "../../platform/clock.ts";
import { reached, sometimes } from "../../platform/probes.ts";
import { CommitInDoubt, type NoteCommit, RunAgain, StoreUnavailable, type Work, type WritePriority } from "../store.ts";
import type { SqliteConnection } from "./connection.ts";

/** Most writes of requests taken for one group: as many as can run in `GROUP_MS`. */
const LARGEST_GROUP = 512;
/** Most background writes taken for one group. */
const BACKGROUND_SHARE = 32;
/** Running time after which a group starts no more writes of requests. */
const GROUP_MS = 8;
/**
 * Additional running time for background writes. A request that arrives meanwhile waits no longer than this, and under
 * constant load background writes still get a quarter. Both times together bound how long a group blocks the event loop.
 */
const BACKGROUND_MS = 3;

/** If a turn of the event loop takes longer, the process is busy, and the next group begins without waiting for a turn. */
const LONG_TURN_MS = 2;

interface QueuedWrite {
  readonly work: Work<unknown>;
  readonly isBackground: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Undefined for a write that had no time left in its group and waits for the next one. */
type OutcomeIfRun = Outcome | undefined;

/** Thrown if a write failed after it had changed rows: the transaction contains half of it. */
class SpoiledGroup extends Error {}

/** Resolves when everything committed so far is on disk; rejects if the disk failed. */
export type Flush = () => Promise<void>;

export interface WriterOptions {
  readonly flush: Flush;
  readonly noteCommit?: NoteCommit;
  /** Called before each group. The group begins when the returned promise has resolved. */
  readonly pause?: () => Promise<void> | undefined;
  /** Milliseconds of a monotonic clock. @default the machine's */
  readonly runningTime?: () => number;
  /** @default the event loop's */
  readonly nextTurn?: NextTurn;
}

/** Queues writes and commits them in groups, in the order of arrival. Background writes come last in a group. */
export class GroupCommitWriter {
  readonly #connection: SqliteConnection;
  readonly #flush: Flush;
  readonly #noteCommit: NoteCommit | undefined;
  readonly #pause: () => Promise<void> | undefined;
  readonly #runningTime: () => number;
  readonly #nextTurn: NextTurn;
  #diskFault: unknown;
  #queue: QueuedWrite[] = [];
  #background: QueuedWrite[] = [];
  #closed = false;
  #scheduled = false;
  #running: Promise<void> = Promise.resolve();

  constructor(connection: SqliteConnection, options: WriterOptions) {
    const { flush, noteCommit, pause = () => undefined } = options;
    const { runningTime = systemClock.elapsed, nextTurn = eventLoopTurn } = options;
    this.#connection = connection;
    this.#flush = flush;
    this.#noteCommit = noteCommit;
    this.#pause = pause;
    this.#runningTime = runningTime;
    this.#nextTurn = nextTurn;
  }

  write<T>(work: Work<T>, priority?: WritePriority): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the store is closed"));
    return new Promise<T>((resolve, reject) => {
      const isBackground = priority !== undefined && priority !== "together";
      const queue = isBackground ? this.#background : this.#queue;
      queue.push({ work, isBackground, resolve: resolve as QueuedWrite["resolve"], reject });
      this.#schedule();
    });
  }

  /** Takes no more work and finishes the queue. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#scheduled) {
      await this.#endTurn();
      await this.#running;
    }
  }

  #endTurn(): Promise<void> {
    return new Promise((resolve) => this.#nextTurn(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const askedAt = this.#runningTime();
    this.#nextTurn(() => {
      const isBusy = this.#background.length > 0 || this.#runningTime() - askedAt > LONG_TURN_MS;
      // callers answered together write again together: wait one more turn, so that all of their writes join the group
      if (this.#queue.length > 0 && !isBusy) this.#nextTurn(() => this.#begin());
      else this.#begin();
    });
  }

  #begin(): void {
    this.#running = this.#drain();
  }

  async #drain(): Promise<void> {
    const pause = this.#pause();
    if (pause !== undefined) await pause;
    const group = this.#queue.splice(0, LARGEST_GROUP).concat(this.#background.splice(0, BACKGROUND_SHARE));
    const startedAt = this.#runningTime();
    const outcomes = await this.#commitDurably(group);
    const left = group.filter((_, index) => outcomes[index] === undefined);
    const { occurrences } = this.#connection;
    this.#noteCommit?.(group.length - left.length, this.#runningTime() - startedAt, occurrences);
    occurrences.length = 0;
    if (left.length > 0) {
      reached("a write waits for the next group");
      this.#putBack(left);
    }
    this.#scheduled = false;
    if (this.#queue.length > 0 || this.#background.length > 0) this.#schedule();
    group.forEach((write, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) return;
      if ("error" in outcome) write.reject(outcome.error);
      else write.resolve(outcome.value);
    });
  }

  /** Returns writes to the front of their queues. */
  #putBack(left: QueuedWrite[]): void {
    this.#queue = left.filter(({ isBackground }) => !isBackground).concat(this.#queue);
    this.#background = left.filter(({ isBackground }) => isBackground).concat(this.#background);
  }

  async #commitDurably(group: QueuedWrite[]): Promise<OutcomeIfRun[]> {
    if (this.#diskFault !== undefined) {
      reached("a store refuses writes after its disk failed");
      const error = new StoreUnavailable("the disk failed before: restart msgd", { cause: this.#diskFault });
      return group.map(() => ({ error }));
    }
    const writesBefore = this.#connection.writes;
    const outcomes = await this.#commit(group);
    if (this.#connection.writes === writesBefore) return outcomes;
    try {
      await this.#flush();
      return outcomes;
    } catch (cause) {
      reached("the disk did not take a commit");
      // only a restart, which reads the disk again, shows what is stored; writes refused meanwhile change nothing
      this.#diskFault = cause;
      this.#connection.occurrences.length = 0;
      const error = new CommitInDoubt("the disk did not take a commit: restart msgd", { cause });
      return outcomes.map((outcome) => (outcome === undefined || "error" in outcome ? outcome : { error }));
    }
  }

  async #commit(group: QueuedWrite[]): Promise<OutcomeIfRun[]> {
    try {
      return await this.#transaction(group, this.#runBare);
    } catch (error) {
      if (!(error instanceof SpoiledGroup)) return group.map(() => ({ error }));
    }
    reached("a group is run again, with a savepoint for each write");
    // the first run has used up this turn's time, so the second one gets a turn of its own
    await this.#endTurn();
    await this.#pause();
    try {
      return await this.#transaction(group, this.#runInSavepoint);
    } catch (error) {
      return group.map(() => ({ error }));
    }
  }

  async #transaction(group: QueuedWrite[], run: (write: QueuedWrite) => Promise<Outcome>): Promise<OutcomeIfRun[]> {
    const { database } = this.#connection;
    try {
      database.exec("BEGIN IMMEDIATE");
      const outcomes: OutcomeIfRun[] = [];
      const hasTime = this.#startTime();
      for (const write of group) outcomes.push(hasTime(write) ? await run(write) : undefined);
      database.exec("COMMIT");
      return outcomes;
    } catch (error) {
      this.#connection.occurrences.length = 0;
      if (database.inTransaction) database.exec("ROLLBACK");
      if (error instanceof SpoiledGroup || error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable("the database did not take a write", { cause: error });
    }
  }

  /** Returns a function that decides whether the group has time for the next write. The first of each kind always runs. */
  #startTime(): (write: QueuedWrite) => boolean {
    let endsAt = this.#runningTime() + GROUP_MS;
    let wasBackground: boolean | undefined;
    return ({ isBackground }) => {
      const now = this.#runningTime();
      const isFirst = isBackground !== wasBackground;
      wasBackground = isBackground;
      if (isFirst && isBackground) endsAt = now + BACKGROUND_MS;
      return isFirst || (now < endsAt && !sometimes("a group has no time left"));
    };
  }

  /** Runs a write without a savepoint: most writes that fail do so before they change a row, so nothing is undone. */
  readonly #runBare = async (write: QueuedWrite): Promise<Outcome> => {
    const { occurrences, writes: writesBefore } = this.#connection;
    const notedBefore = occurrences.length;
    try {
      return { value: await write.work(this.#connection) };
    } catch (error) {
      occurrences.length = notedBefore;
      if (this.#connection.writes !== writesBefore || !this.#connection.database.inTransaction) {
        throw new SpoiledGroup("a write failed midway", { cause: error });
      }
      return { error };
    }
  };

  readonly #runInSavepoint = async (write: QueuedWrite): Promise<Outcome> => {
    const { database, occurrences } = this.#connection;
    const notedBefore = occurrences.length;
    database.exec("SAVEPOINT queued_write");
    try {
      const value = await write.work(this.#connection);
      database.exec("RELEASE queued_write");
      return { value };
    } catch (error) {
      occurrences.length = notedBefore;
      // if the disk is full, SQLite has rolled back the whole transaction with its savepoints
      if (!database.inTransaction) throw error;
      database.exec("ROLLBACK TO queued_write");
      database.exec("RELEASE queued_write");
      return error instanceof RunAgain ? this.#runInSavepoint(write) : { error };
    }
  };
}
