// Runs several writes concurrently in one database transaction. Each write sees a `Transaction` of its own. When all
// writes wait for an answer, their statements are sent together, and equal statements of many writes as one batch
// (statement.ts). A batch statement of kind "writes" returns at once, as if it had succeeded. It is sent at the end, with
// the commit, unless its write failed. So a group of sends takes two round trips.

import { nextTick } from "../../platform/clock.ts";
import type { Answer, Value } from "../../platform/postgres/exchange.ts";
import { waitBrieflyStatement } from "../../platform/postgres/limits.ts";
import type { SessionPort } from "../../platform/postgres/sessions.ts";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";
import { type Ask, type Batch, batchOf, type SqlValue, textOf, valuesOf } from "../statement.ts";
import { CommitInDoubt, type Occurrence, RunAgain, type Transaction, type Work } from "../store.ts";
import { explainFailure, postgresDialect } from "./connection.ts";

/** A write's result, or the error that it threw. If it threw, none of its changes are written. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Thrown if the transaction cannot be committed. Nothing is written, and each write must be run alone. */
export class SpoiledGroup extends Error {
  override readonly name = "SpoiledGroup";
}

interface PendingStatement {
  readonly sql: string;
  readonly batch: Batch | undefined;
  readonly values: readonly SqlValue[];
  readonly tx: WriteTransaction;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Runs all writes to their ends and commits. Throws `SpoiledGroup` or the error of the commit. */
export class SharedTransaction {
  readonly randomness: Randomness;
  readonly #session: SessionPort;
  readonly #commit: () => Promise<void>;
  readonly #transactions: WriteTransaction[] = [];
  /** The write that holds each row lock. The writes share a connection, so PostgreSQL's locks do not separate them. */
  readonly #held = new Map<string, WriteTransaction>();
  #pending: PendingStatement[] = [];
  #live = 0;
  #isOfOne = false;
  #isSendDue = false;
  #isInFlight = false;
  #hasBegun = false;
  #failure: unknown;
  #onEnd: () => void = () => {};

  /** `commit` commits the session's transaction, or throws. */
  constructor(session: SessionPort, commit: () => Promise<void>, randomness = systemRandomness) {
    this.randomness = randomness;
    this.#session = session;
    this.#commit = commit;
  }

  /** Whether it has only one write. */
  get isOfOne(): boolean {
    return this.#isOfOne;
  }

  /** The occurrences that successful writes noted. */
  get occurrences(): Occurrence[] {
    return this.#transactions.flatMap(({ occurrences }) => occurrences);
  }

  async run(works: readonly Work<unknown>[]): Promise<Outcome[]> {
    this.#live = works.length;
    this.#isOfOne = works.length === 1;
    const ended = new Promise<void>((resolve) => {
      this.#onEnd = resolve;
    });
    const outcomes: Outcome[] = [];
    for (const [index, work] of works.entries()) {
      const tx = new WriteTransaction(this);
      this.#transactions.push(tx);
      work(tx).then(
        (value) => this.#end(index, outcomes, { value }),
        (error) => this.#end(index, outcomes, { error }),
      );
    }
    await ended;
    if (this.#failure !== undefined) throw new SpoiledGroup("a group failed", { cause: this.#failure });
    await this.#write();
    return outcomes;
  }

  /** Returns false if another write of the group has locked the same row. */
  lock(tx: WriteTransaction, { sql, values }: Asked): boolean {
    const key = `${sql} ${values.join(" ")}`;
    const holder = this.#held.get(key) ?? tx;
    this.#held.set(key, holder);
    return holder === tx;
  }

  ask(tx: WriteTransaction, asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ ...asked, tx, resolve, reject });
      this.#sendSoon();
    });
  }

  #end(index: number, outcomes: Outcome[], outcome: Outcome): void {
    outcomes[index] = outcome;
    const tx = this.#transactions[index];
    if ("error" in outcome && tx !== undefined) {
      tx.occurrences.length = 0;
      tx.writes.length = 0;
      // the statements already sent can be undone only with the whole transaction
      if (tx.hasSent) this.#failure ??= outcome.error;
    }
    this.#live -= 1;
    if (this.#live === 0) this.#onEnd();
    else this.#sendSoon();
  }

  /** Sends the pending statements as soon as every write waits for an answer. Writes await nothing else. */
  #sendSoon(): void {
    if (this.#isSendDue) return;
    this.#isSendDue = true;
    // a tick that begins in a microtask runs when no other microtask is left
    queueMicrotask(() =>
      nextTick(() => {
        this.#isSendDue = false;
        if (!this.#isInFlight && this.#pending.length > 0) this.#send();
      }),
    );
  }

  async #send(): Promise<void> {
    this.#isInFlight = true;
    const statements = this.#pending;
    this.#pending = [];
    const isFirst = (statement: PendingStatement) => statement.batch?.kind === "early-reads" && !isDependent(statement);
    const others = statements.filter((statement) => !isFirst(statement));
    const early = this.#askAll(statements.filter(isFirst));
    // a transaction's batches of kind "writes" are sent before its other queries, and its locks before both
    const dependent = others.filter(isDependent);
    if (dependent.length > 0) this.#sendLocks();
    if (dependent.some(({ tx }) => tx.writes.length > 0)) this.#sendWrites();
    await Promise.all([early, this.#askAll(others)]);
    this.#isInFlight = false;
    this.#sendSoon();
  }

  async #askAll(statements: readonly PendingStatement[]): Promise<void> {
    const answers = Array.from(
      groupBy(statements, ({ sql }) => sql),
      (asked) => {
        const batch = asked[0]?.batch;
        return batch === undefined ? this.#askEach(asked) : this.#askTogether(batch, asked);
      },
    );
    await Promise.all(answers);
  }

  /** Sends statements that have no batch, each separately. */
  async #askEach(asked: readonly PendingStatement[]): Promise<void> {
    const settle = async ({ sql, values, tx, resolve, reject }: PendingStatement) => {
      if (!ONLY_READS.test(sql)) {
        this.#begin();
        tx.hasSent = true;
      }
      try {
        resolve(await this.#query(sql, values));
      } catch (error) {
        reject(explainFailure(error));
      }
    };
    await Promise.all(asked.map(settle));
  }

  async #askTogether(batch: Batch, asked: readonly PendingStatement[]): Promise<void> {
    try {
      const result = await this.#query(batch.sql, toArrays(asked));
      const rows: unknown[][] = asked.map(() => []);
      for (const row of result.rows as { ordinal: number }[]) rows[row.ordinal - 1]?.push(row);
      for (const [index, { resolve }] of asked.entries()) {
        const own = rows[index] ?? [];
        resolve({ ...result, rows: own, rowCount: own.length });
      }
    } catch (error) {
      for (const { reject } of asked) reject(explainFailure(error));
    }
  }

  /** Sends the pending writes with the commit in one round trip. If a write fails, the server skips the commit. */
  async #write(): Promise<void> {
    this.#sendWrites();
    if (!this.#hasBegun) return;
    try {
      await this.#commit();
    } catch (error) {
      if (error instanceof CommitInDoubt) throw error;
      throw new SpoiledGroup("a group was not committed", { cause: this.#failure ?? error });
    }
  }

  #sendWrites(): void {
    const writes = this.#transactions.flatMap(({ writes }) => writes);
    if (writes.length === 0) return;
    for (const tx of this.#transactions) {
      if (tx.writes.length > 0) tx.hasSent = true;
      tx.writes.length = 0;
    }
    this.#sendLocks(writes);
  }

  /** Sends all locking statements, then `writes`. If every lock is a batch, sorts both together by the batches' order. */
  #sendLocks(writes: readonly AskedBatch[] = []): void {
    const locks = this.#transactions.flatMap(({ locks }) => locks.splice(0));
    if (locks.length + writes.length === 0) return;
    this.#begin();
    const single = locks.filter((lock) => !hasBatch(lock));
    const batched = locks.filter(hasBatch);
    this.#sendBatches(single.length === 0 ? [...batched, ...writes] : batched);
    if (single.length === 0) return;
    for (const { sql, values } of single) this.#sendAlong(sql, values);
    this.#sendBatches(writes);
  }

  #sendBatches(writes: readonly AskedBatch[]): void {
    const groups = [...groupBy(writes, ({ sql, sequence }) => `${sequence} ${sql}`)] as [AskedBatch, ...AskedBatch[]][];
    groups.sort(([one], [other]) => one.batch.rank - other.batch.rank || one.sequence - other.sequence);
    for (const same of groups) {
      const [{ batch }] = same;
      this.#sendAlong(batch.sql, toArrays(same));
    }
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#session.begin("BEGIN", waitBrieflyStatement).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  /** Sends a statement without waiting for its answer. If it fails, the transaction fails. */
  #sendAlong(text: string, values: readonly Value[]): void {
    this.#query(text, values).catch(() => {});
  }

  async #query(text: string, values: readonly Value[]): Promise<Answer> {
    try {
      return await this.#session.ask(text, values);
    } catch (error) {
      // statements sent after it fail, too: only the first error is of interest
      this.#failure ??= error;
      throw error;
    }
  }
}

/** Returns whether the answer may depend on pending locks or writes of the same write. */
function isDependent({ batch, tx: { locks, writes } }: PendingStatement): boolean {
  if (batch?.kind === "early-reads") return locks.some((lock) => lock.batch?.kind !== "locks");
  return locks.length + writes.length > 0;
}

/** Matches statements that neither write nor lock, and so need no transaction. */
const ONLY_READS = /^\s*SELECT\b(?![\s\S]*\bFOR (?:NO KEY )?UPDATE\b)/;

/** A statement with its values. */
interface Asked {
  readonly sql: string;
  readonly batch: Batch | undefined;
  readonly values: readonly SqlValue[];
  /** Position of the statement among those of its write and rank. It keeps each write's order when batches are sorted. */
  sequence: number;
}

/** A batch statement that changes or locks rows. */
interface AskedBatch extends Asked {
  readonly batch: Batch;
}

function hasBatch(asked: Asked): asked is AskedBatch {
  return asked.batch !== undefined;
}

function describe(ask: Ask, given: readonly SqlValue[]): Asked {
  return { sql: textOf(ask, "postgres"), batch: batchOf(ask), values: valuesOf(ask, given), sequence: 0 };
}

class WriteTransaction implements Transaction {
  readonly dialect = postgresDialect;
  readonly randomness: Randomness;
  readonly occurrences: Occurrence[] = [];
  readonly writes: AskedBatch[] = [];
  readonly locks: Asked[] = [];
  /** Whether a statement that may have changed rows was sent. */
  hasSent = false;
  readonly #shared: SharedTransaction;
  /** The reason why the write has to be run alone. */
  #fault: RunAgain | undefined;

  constructor(shared: SharedTransaction) {
    this.#shared = shared;
    this.randomness = shared.randomness;
  }

  async get<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row | undefined> {
    return (await this.#ask(describe(ask, values))).rows[0] as Row | undefined;
  }

  async all<Row>(ask: Ask<Row>, ...values: SqlValue[]): Promise<Row[]> {
    return (await this.#ask(describe(ask, values))).rows as Row[];
  }

  async run(ask: Ask, ...values: SqlValue[]): Promise<number> {
    const asked = describe(ask, values);
    if (!hasBatch(asked) || asked.batch.kind !== "writes") return (await this.#ask(asked)).rowCount;
    if (this.#fault !== undefined) throw this.#fault;
    const last = this.writes.findLast(({ batch }) => batch.rank === asked.batch.rank);
    if (last !== undefined) asked.sequence = last.sequence + (last.sql === asked.sql ? 0 : 1);
    this.writes.push(asked);
    return 1;
  }

  lock(ask: Ask, ...values: SqlValue[]): void {
    const asked = describe(ask, values);
    if (asked.batch?.kind === "shared-locks" || this.#shared.lock(this, asked)) this.locks.push(asked);
    else this.#fault ??= new RunAgain("another write of the group locks the same row");
  }

  lockAlone(): void {}

  async tryLock(ask: Ask, ...values: SqlValue[]): Promise<boolean> {
    if (!this.#shared.isOfOne) throw new Error("a write that shares its transaction cannot use SKIP LOCKED");
    return (await this.#ask(describe(ask, values))).rows.length > 0;
  }

  /** Does nothing: if two writes have the same key, the insert fails the group, and each is then run alone. */
  async claim(): Promise<boolean> {
    return true;
  }

  requireAlone(reason: string): void {
    throw new RunAgain(reason);
  }

  async #ask(asked: Asked): Promise<Answer> {
    if (this.#fault !== undefined) throw this.#fault;
    return this.#shared.ask(this, asked);
  }

  note(occurrence: Occurrence): void {
    this.occurrences.push(occurrence);
  }
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Iterable<Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups.values();
}

/** Returns one array per parameter, with the values of all calls. */
function toArrays(calls: readonly { readonly values: readonly SqlValue[] }[]): Value[] {
  const parameters = calls[0]?.values ?? [];
  return parameters.map((_value, index) => calls.map(({ values }) => values[index] as SqlValue));
}
