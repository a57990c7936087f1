// The PostgreSQL store: groups of writes that share a transaction, and reads that span several turns of the event loop.

import type { SessionPool } from "../../platform/postgres/connections.ts";
import { isConflict, isLost } from "../../platform/postgres/failures.ts";
import type { SessionPort } from "../../platform/postgres/sessions.ts";
import { textOf } from "../statement.ts";
import {
  type NoteCommit,
  PAGE_ROWS,
  type Query,
  RunAgain,
  readLimit,
  type Snapshot,
  type Store,
  type Work,
} from "../store.ts";
import {
  causeOf,
  commit,
  explainFailure,
  PostgresConnection,
  type StorePorts,
  systemPorts,
  TransactionRunner,
} from "./connection.ts";
import { type Outcome, SharedTransaction, SpoiledGroup } from "./shared-transaction.ts";

/** Most writes in a group. Larger groups block the event loop for longer and gain hardly anything. */
const LARGEST_GROUP = 128;
/** Most groups in flight at once. */
const MOST_GROUPS = 2;
/**
 * While another group is in flight, the next group begins when it has this share of the other's writes, or when its
 * first write has waited for `LONGEST_GATHERING_MS`: a small group costs the database as much as a large one. See
 * docs/decisions/0050-groups-of-dispatch.md.
 */
const WORTH_A_GROUP = 1 / 3;
const LONGEST_GATHERING_MS = 2;

interface QueuedWrite {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Runs writes in groups that share a transaction, at most `MOST_GROUPS` groups at once. */
class Groups {
  readonly #connections: SessionPool;
  readonly #runner: TransactionRunner;
  readonly #noteCommit: NoteCommit | undefined;
  readonly #ports: StorePorts;
  #waiting: QueuedWrite[] = [];
  #underWay = 0;
  #writesUnderWay = 0;
  #isBeginDue = false;
  /** Cancels the timer that begins the next group; undefined while no timer runs. */
  #gathering: (() => void) | undefined;
  #fullMs = 0;
  #fullSince = 0;

  /** `runner` runs the writes of a group that cannot be committed together. */
  constructor(
    connections: SessionPool,
    runner: TransactionRunner,
    noteCommit: NoteCommit | undefined,
    ports = systemPorts,
  ) {
    this.#connections = connections;
    this.#runner = runner;
    this.#noteCommit = noteCommit;
    this.#ports = ports;
  }

  /** Total time during which `MOST_GROUPS` groups were in flight, in milliseconds. */
  get fullMs(): number {
    return this.#fullMs + (this.#underWay === MOST_GROUPS ? this.#ports.clock.elapsed() - this.#fullSince : 0);
  }

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as QueuedWrite["resolve"], reject });
      if (this.#isBeginDue) return;
      this.#isBeginDue = true;
      // writes that arrive in the same turn of the event loop join the group
      this.#ports.nextTurn(() => {
        this.#isBeginDue = false;
        this.#beginIfWorthIt();
      });
    });
  }

  /** Runs the work in its own transaction. Statements that the work runs concurrently are sent together. */
  runAlone<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) =>
      this.#runGroup([{ work, resolve: resolve as QueuedWrite["resolve"], reject }]),
    );
  }

  #beginIfWorthIt(): void {
    if (this.#underWay === MOST_GROUPS || this.#waiting.length === 0) return;
    if (this.#waiting.length >= this.#writesUnderWay * WORTH_A_GROUP) this.#begin();
    else this.#gathering ??= this.#ports.clock.after(LONGEST_GATHERING_MS, () => this.#begin());
  }

  #begin(): void {
    this.#gathering?.();
    this.#gathering = undefined;
    this.#underWay += 1;
    if (this.#underWay === MOST_GROUPS) this.#fullSince = this.#ports.clock.elapsed();
    const group = this.#waiting.splice(0, LARGEST_GROUP);
    this.#writesUnderWay += group.length;
    this.#runGroup(group).finally(() => {
      this.#fullMs = this.fullMs;
      this.#underWay -= 1;
      this.#writesUnderWay -= group.length;
      this.#beginIfWorthIt();
    });
    this.#beginIfWorthIt();
  }

  async #runGroup(group: readonly QueuedWrite[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = await this.#runTogether(group.map(({ work }) => work));
    } catch (error) {
      if (error instanceof SpoiledGroup) this.#runEach(group);
      else for (const { reject } of group) reject(explainFailure(error));
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as Outcome;
      if ("value" in outcome) resolve(outcome.value);
      else if (outcome.error instanceof RunAgain) this.#runEach(group.slice(index, index + 1));
      else reject(outcome.error);
    }
  }

  async #runTogether(works: readonly Work<unknown>[]): Promise<Outcome[]> {
    const session = await this.#connections.take();
    const { clock, randomness } = this.#ports;
    const startedAt = clock.elapsed();
    let isBroken = false;
    try {
      const shared = new SharedTransaction(session, () => commit(session), randomness);
      const outcomes = await shared.run(works);
      this.#noteCommit?.(works.length, clock.elapsed() - startedAt, shared.occurrences);
      return outcomes;
    } catch (error) {
      isBroken = !(error instanceof SpoiledGroup) || isLost(error.cause) || !(await endTransaction(session));
      throw error;
    } finally {
      this.#connections.release(session, isBroken);
    }
  }

  #runEach(group: readonly QueuedWrite[]): void {
    for (const { work, resolve, reject } of group) this.#runner.run(work).then(resolve, reject);
  }
}

/** Ends an open transaction. Returns whether the connection can be used again. */
async function endTransaction(session: SessionPort): Promise<boolean> {
  try {
    await session.ask("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

const BEGIN_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ";
const BEGIN = `${BEGIN_MOMENT}, READ ONLY`;

/**
 * Runs `work` on the rows as of its first statement. `work` may select unlocked rows (SKIP LOCKED); if one of them has
 * changed since the first statement, `work` is run again.
 */
export async function readMoment<T>(connections: SessionPool, work: Work<T>): Promise<T> {
  for (;;) {
    const session = await take(connections);
    try {
      return await work(new PostgresConnection(session, { opening: BEGIN_MOMENT }));
    } catch (error) {
      if (!isConflict(causeOf(error))) throw error;
    } finally {
      // end the transaction before returning, because the caller may lock the same rows next
      await endMoment(connections, session);
    }
  }
}

/** Opens a snapshot for reads of several statements. */
export async function openSnapshot(connections: SessionPool): Promise<Snapshot> {
  const session = await take(connections);
  let isOpen = true;
  return {
    tx: new PostgresConnection(session, { opening: BEGIN }),
    end() {
      if (!isOpen) return;
      isOpen = false;
      void endMoment(connections, session);
    },
  };
}

/** Reads the rows as of the first read, page by page. The next page is fetched while the caller consumes one. */
async function* readPages<Row>(connections: SessionPool, query: Query<Row>): AsyncGenerator<Row[], void, undefined> {
  const session = await take(connections);
  try {
    const values = [...query.values, readLimit(query)];
    const begun = session.begin(BEGIN);
    const declared = session.ask(`DECLARE pages NO SCROLL CURSOR FOR ${textOf(query.sql, "postgres")}`, values);
    let following = fetchPage<Row>(session);
    // each answer is awaited below; an earlier rejection must not crash the process as unhandled
    for (const answer of [begun, declared, following]) answer.catch(() => {});
    await begun;
    await declared;
    for (let page = await following; page.length === PAGE_ROWS; page = await following) {
      following = fetchPage<Row>(session);
      following.catch(() => {});
      yield page;
    }
    yield await following;
  } catch (error) {
    throw explainFailure(error);
  } finally {
    void endMoment(connections, session);
  }
}

async function take(connections: SessionPool): Promise<SessionPort> {
  return connections.take().catch((error: unknown) => {
    throw explainFailure(error);
  });
}

async function fetchPage<Row>(session: SessionPort): Promise<Row[]> {
  return (await session.ask<Row>(`FETCH ${PAGE_ROWS} FROM pages`)).rows;
}

/** Ends the read transaction and releases its connection. Never rejects. */
async function endMoment(connections: SessionPool, session: SessionPort): Promise<void> {
  const isBroken = await session.ask("ROLLBACK").then(
    () => false,
    () => true,
  );
  connections.release(session, isBroken);
}

/** Background work uses at most one connection in this many. */
const BACKGROUND_SHARE = 3;

interface PooledStoreOptions {
  readonly connections: SessionPool;
  /**
   * Connections for reads that span several turns of the event loop, so that slow clients take no connections from
   * requests and dispatch. They are few, because while a snapshot is open the server cannot remove old versions of rows.
   */
  readonly longReads: SessionPool;
  /** Most connections of both pools together. */
  readonly mostConnections: number;
  readonly noteCommit?: NoteCommit | undefined;
  /** @default the machine's own */
  readonly ports?: StorePorts;
}

/** Creates a `Store` on connections to PostgreSQL. Closing the store closes the connections. */
export function createPooledStore(options: PooledStoreOptions): Store {
  const { connections, longReads, mostConnections, noteCommit, ports = systemPorts } = options;
  const runner = new TransactionRunner(connections, noteCommit, ports);
  const groups = new Groups(connections, runner, noteCommit, ports);
  // background groups take longer, so they are kept apart from those of requests
  const backgroundGroups = new Groups(connections, runner, noteCommit, ports);
  const background = new Semaphore(Math.max(1, Math.floor(mostConnections / BACKGROUND_SHARE)));
  const open = new Set<Promise<unknown>>();
  /** Settles as `work` does. The store closes only after that. */
  const follow = <T>(work: Promise<T>): Promise<T> => {
    open.add(work);
    const forget = () => open.delete(work);
    work.then(forget, forget);
    return work;
  };
  return {
    read: (work) => follow(readMoment(connections, work)),
    readPages: (query) => readPages(longReads, query),
    openSnapshot: () => openSnapshot(longReads),
    write(work, priority) {
      if (priority === "together") return follow(groups.run(work));
      if (priority === "background together") return follow(backgroundGroups.run(work));
      if (priority === "claim") return follow(backgroundGroups.runAlone(work));
      return follow(priority === "background" ? background.take(() => runner.run(work)) : runner.run(work));
    },
    saturatedMs: () => groups.fullMs,
    breakOff() {
      connections.breakOff?.();
      longReads.breakOff?.();
    },
    async close() {
      while (open.size > 0) await Promise.allSettled(open);
      await connections.close();
      await longReads.close();
    },
  };
}

/** Runs a limited number of tasks at a time. Further tasks wait in the order of arrival. */
class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
