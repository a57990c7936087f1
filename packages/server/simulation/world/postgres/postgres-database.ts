// PostgreSQL under a world: transactions of several instances interleave, statement by statement, in an order that the
// world chooses.

import { Connections, loadDriver } from "../../../src/platform/postgres/connections.ts";
import { LONGEST_ANSWER_MS } from "../../../src/platform/postgres/limits.ts";
import type { SessionPort } from "../../../src/platform/postgres/sessions.ts";
import { listTables } from "../../../src/store/migrate.ts";
import { PostgresConnection, postgresDialect } from "../../../src/store/postgres/connection.ts";
import { migrateThrough } from "../../../src/store/postgres/migrations.ts";
import { createPooledStore } from "../../../src/store/postgres/pooled-store.ts";
import type { Store, Transaction } from "../../../src/store/store.ts";
import type { Random } from "../../random.ts";
import type { Database, Image, NoteCircle, Notes, StoreOptions, TakesWrite } from "../database.ts";
import type { Scheduler } from "../scheduler.ts";
import { drawWay } from "../store-way.ts";
import { noteTables, PostgresNotes } from "./postgres-notes.ts";
import { type PoolOptions, SimulatedPool } from "./simulated-pool.ts";
import type { Fate } from "./simulated-session.ts";
import { type Backend, StatementServer } from "./statement-server.ts";
import { listUpgradeFaults, nextSteps, undoUpgrade } from "./upgrade.ts";

/** Maximum number of connections of all instances, including processes that have just died. */
const MOST_BACKENDS = 60;
/** Maximum number of connections of an instance: low, so that some requests wait. */
const MOST_CONNECTIONS = 4;

/** Tables whose rows are kept between worlds. */
const KEPT: ReadonlySet<string> = new Set(["installation", "migrations"]);

export class PostgresDatabase implements Database {
  readonly #connections: Connections;
  readonly #direct: SessionPort;
  readonly #own: readonly SessionPort[];
  readonly #server: StatementServer;
  readonly #tables: readonly string[];
  readonly #free: Backend[] = [];
  readonly #lent = new Set<Backend>();
  #randomness: Random | undefined;
  readonly #notes: PostgresNotes;
  #isUpgraded = false;
  takesWrite: TakesWrite = () => true;
  noteCircle: NoteCircle = () => {};

  private constructor(connections: Connections, own: { direct: SessionPort; monitor: SessionPort }, isOurs: boolean) {
    this.#connections = connections;
    this.#direct = own.direct;
    this.#own = Object.values(own);
    this.#notes = new PostgresNotes(own.direct);
    this.#server = new StatementServer(own.monitor, isOurs);
    this.#tables = listTables(postgresDialect).filter((name) => !KEPT.has(name));
  }

  /**
   * Opens a database that has msgd's tables and no other users. `isOurs` says whether the database server runs on this
   * machine: only then do worlds repeat exactly.
   */
  static async open(url: string, isOurs: boolean): Promise<PostgresDatabase> {
    const connections = new Connections(await loadDriver(), { url, most: MOST_BACKENDS, plansByIndex: true });
    const [direct, monitor] = [await connections.take(), await connections.take()];
    const database = new PostgresDatabase(connections, { direct, monitor }, isOurs);
    await database.#notes.watch();
    return database;
  }

  get reader(): Transaction {
    return new PostgresConnection(this.#direct, this.#chance);
  }

  async begin(randomness: Random, populate: (tx: Transaction) => Promise<void>): Promise<void> {
    this.#randomness = randomness;
    this.takesWrite = () => true;
    await this.#endAll();
    if (this.#isUpgraded) await undoUpgrade(this.#direct);
    this.#isUpgraded = false;
    await this.#empty();
    const tx = new PostgresConnection(this.#direct, { opening: "BEGIN", ...this.#chance });
    await populate(tx);
    await this.#direct.ask("COMMIT");
    await this.#notes.begin();
  }

  openStore(options: StoreOptions): Store {
    const { process, noteCommit } = options;
    const { pool, ports } = this.#reach(options);
    const [connections, longReads] = [pool("", { most: MOST_CONNECTIONS }), pool(" long", { most: 1 })];
    process.whenDead(() => {
      void connections.close();
      void longReads.close();
    });
    return createPooledStore({ connections, longReads, mostConnections: MOST_CONNECTIONS + 1, noteCommit, ports });
  }

  async upgrade(options: StoreOptions): Promise<string[]> {
    const { process, scheduler } = options;
    this.#isUpgraded = true;
    const { pool, ports } = this.#reach(options);
    const connections = pool(" upgrade", { most: 2, answerMs: LONGEST_ANSWER_MS, isPatient: true });
    process.whenDead(() => void connections.close());
    await migrateThrough(connections, process.clock.now(), nextSteps, ports);
    await connections.close();
    const faults = listUpgradeFaults(this.#direct);
    scheduler.hold(faults.then(() => {}));
    return faults;
  }

  async isLocked(): Promise<boolean> {
    if (!this.#isUpgraded) return false;
    const { rows } = await this.#direct.ask(
      `SELECT 1 FROM pg_locks WHERE locktype = 'relation' AND mode = 'AccessExclusiveLock'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** Connects an instance to the database. */
  #reach({ process, scheduler, chances, random, randomness, die, beginFlush }: StoreOptions) {
    const draw = (hasCommit: boolean): Fate => {
      if (chances.happens("store refuses", 0.1)) return random.pick(["lost on the way", "answer lost"]);
      if (!hasCommit) return "answered";
      if (chances.happens("store leaves a commit in doubt", 0.5))
        return random.pick(["lost on the way", "answer lost"]);
      return chances.happens("process dies at a write", 0.1) ? "process dies" : "answered";
    };
    const way = () => drawWay(random, chances.happens("store is slow", 0.3));
    const noteCommit = async () => void (await beginFlush());
    const options = { ...this.#sessionOptions(scheduler), process, random, way, draw, noteCommit, die };
    const pool = (name: string, of: Pick<PoolOptions, "most" | "answerMs" | "isPatient">) =>
      new SimulatedPool({ ...options, ...of, name: `${process.name}${name}` });
    const ports = {
      clock: process.clock,
      randomness,
      nextTurn: (run: () => void) => void scheduler.in(way(), "turn", process, run),
    };
    return { pool, ports };
  }

  async operate<T>(work: (tx: Transaction) => Promise<T>, scheduler: Scheduler): Promise<T> {
    const { randomness } = this.#chance;
    const connections = this.#connectOperator("operator", scheduler);
    const clock = {
      elapsed: () => scheduler.now / 1_000,
      after(ms: number, run: () => void) {
        const scheduled = scheduler.in(1_000 * ms, "operator waits", undefined, run);
        return () => scheduled.cancel();
      },
    };
    const ports = { clock, randomness, nextTurn: (run: () => void) => void clock.after(0, run) };
    const store = createPooledStore({ connections, longReads: connections, mostConnections: 1, ports });
    const done = await store.write(work);
    await store.close();
    return done;
  }

  readForLong(table: string, us: number, scheduler: Scheduler): void {
    const connections = this.#connectOperator("reader", scheduler);
    const read = async () => {
      const session = await connections.take();
      const end = (isBroken: boolean) => connections.release(session, isBroken);
      try {
        await session.begin("BEGIN ISOLATION LEVEL REPEATABLE READ", `SELECT COUNT(*) FROM ${table}`);
        scheduler.in(us, "a long read ends", undefined, () => end(true));
      } catch {
        end(true);
      }
    };
    read().catch(() => {});
  }

  async image(): Promise<Image> {
    const read = this.#tables.map((table) => `(SELECT jsonb_agg(to_jsonb(t))::text FROM ${table} t) AS ${table}`);
    const { rows } = await this.#direct.ask<Record<string, string | null>>(`SELECT ${read.join(", ")}`);
    const counters = await this.#direct.ask<{ set: string }>(
      `SELECT format('SELECT setval(%L, %s)', schemaname || '.' || sequencename, last_value) AS set FROM pg_sequences
        WHERE last_value IS NOT NULL`,
    );
    return [rows[0], counters.rows.map(({ set }) => set)];
  }

  async restore([tables = {}, counters = []]: Image): Promise<void> {
    await this.#endAll();
    await this.#empty();
    await this.#direct.ask("SET session_replication_role = replica");
    for (const [table, rows] of Object.entries(tables as Record<string, string | null>)) {
      if (rows === null) continue;
      await this.#direct.ask(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`, [
        rows,
      ]);
    }
    for (const set of counters as readonly string[]) await this.#direct.ask(set);
    await this.#direct.ask("RESET session_replication_role");
    await this.#notes.begin();
  }

  takeNotes(): Promise<Notes> {
    return this.#notes.take();
  }

  async all<Row>(sql: string): Promise<Row[]> {
    return (await this.#direct.ask<Row>(sql)).rows;
  }

  async close(): Promise<void> {
    await this.#endAll();
    for (const { session } of this.#free.splice(0)) this.#connections.release(session, true);
    for (const session of this.#own) this.#connections.release(session, true);
    await this.#connections.close();
  }

  get #chance(): { randomness: Random } {
    if (this.#randomness === undefined) throw new Error("a random number was drawn before the first world");
    return { randomness: this.#randomness };
  }

  /** Creates an operator's connection, on which no faults happen. */
  #connectOperator(name: string, scheduler: Scheduler): SimulatedPool {
    const { randomness } = this.#chance;
    return new SimulatedPool({
      ...this.#sessionOptions(scheduler),
      name,
      process: undefined,
      most: 1,
      random: randomness,
      way: () => drawWay(randomness),
      draw: () => "answered",
      takesWrite: () => true,
      noteCommit: async () => void (await this.takeNotes()),
      die: () => {},
    });
  }

  #sessionOptions(scheduler: Scheduler) {
    return {
      server: this.#server,
      scheduler,
      takesWrite: () => this.takesWrite(),
      noteCircle: (statements: readonly string[]) => this.noteCircle(statements),
      noteBegin: ({ pid }: Backend) => this.#notes.noteBegin(pid),
      connect: () => this.#lend(),
      has: (backend: Backend) => this.#lent.has(backend),
      giveBack: (backend: Backend) => this.#takeBack(backend),
    };
  }

  async #lend(): Promise<Backend> {
    const backend = { ...(this.#free.pop() ?? (await this.#connect())) };
    this.#lent.add(backend);
    return backend;
  }

  #takeBack(backend: Backend): void {
    if (this.#lent.delete(backend)) this.#free.push(backend);
  }

  /** Connects without the server's own time limits: the world simulates them. */
  async #connect(): Promise<Backend> {
    const session = await this.#connections.take();
    const limits = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"].map(
      (name) => `${name} = 0`,
    );
    for (const setting of [...limits, "deadlock_timeout = '1h'"]) await session.ask(`SET ${setting}`);
    const { rows } = await session.ask<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    return { session, pid: rows[0]?.pid ?? 0 };
  }

  /** Rolls back the open transactions of instances that are gone. */
  async #endAll(): Promise<void> {
    for (const backend of this.#lent) if (this.#server.isWaiting(backend)) await this.#server.cancel(backend);
    for (const backend of [...this.#lent]) {
      await this.#server.run(backend, "ROLLBACK", [], () => this.#takeBack(backend));
    }
  }

  /** Empties the tables and their files, so that unordered queries return rows in the same order in each world. */
  async #empty(): Promise<void> {
    await this.#direct.ask(`TRUNCATE ${[...this.#tables, ...noteTables].join(", ")} RESTART IDENTITY`);
  }
}
