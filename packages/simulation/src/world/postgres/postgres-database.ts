// PostgreSQL under a world: transactions of several instances interleave, statement by statement, in an order that the
// world chooses.

import {
  createPooledStore,
  listTables,
  PostgresConnection,
  postgresDialect,
  type SessionPort,
  type Store,
  type Transaction,
} from "@msgctl/server/parts";
import { Connections, loadDriver } from "@msgctl/server/postgres";
import type { Random } from "../../random.ts";
import type {
  Database,
  Decision,
  Image,
  Move,
  NotedDial,
  NotedLease,
  Notes,
  StoreParts,
  TakesWrite,
} from "../database.ts";
import type { Scheduler } from "../scheduler.ts";
import { SimulatedPool } from "./simulated-pool.ts";
import type { Fate } from "./simulated-session.ts";
import { type Backend, StatementServer } from "./statement-server.ts";

/** All that the instances of a world, and those of their processes that have just died, have open at once. */
const MOST_BACKENDS = 60;
/** Of an instance: few, so that some wait. */
const MOST_CONNECTIONS = 4;
const LEAST_US = 20;
const USUAL_US = 3_000;
const LONGEST_US = 90_000_000;

const watching = `
  CREATE TABLE IF NOT EXISTS noted_moves (place bigserial, "messageId" text, "from" text, "to" text);
  CREATE TABLE IF NOT EXISTS noted_leases (place bigserial, backend int, "messageId" text);
  CREATE TABLE IF NOT EXISTS noted_decisions (place bigserial, owner text, status text);
  CREATE TABLE IF NOT EXISTS noted_dials (place bigserial, "requestId" bigint, zone text, at bigint);
  CREATE OR REPLACE FUNCTION note_dial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted_dials ("requestId", zone, at) VALUES (new.request_id, new.execution_timezone, new.updated_at);
    RETURN NULL;
  END $$;
  CREATE OR REPLACE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted_moves ("messageId", "from", "to") VALUES (new.message_id, old.status, new.status);
    RETURN NULL;
  END $$;
  CREATE OR REPLACE FUNCTION note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted_leases (backend, "messageId") VALUES (pg_backend_pid(), new.message_id);
    RETURN NULL;
  END $$;
  CREATE OR REPLACE FUNCTION note_decision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted_decisions (owner, status)
    VALUES (concat_ws(' ', new.tenant_id, new.merchant_id, new.channel, new.contact), new.status);
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER note_move AFTER UPDATE OF status ON messages FOR EACH ROW
    WHEN (new.status <> old.status) EXECUTE FUNCTION note_move();
  CREATE OR REPLACE TRIGGER note_lease AFTER UPDATE ON outbox FOR EACH ROW
    WHEN (new.lease_token IS NOT NULL AND new.lease_token IS DISTINCT FROM old.lease_token) EXECUTE FUNCTION note_lease();
  CREATE OR REPLACE TRIGGER note_next_lease AFTER UPDATE ON dispatches FOR EACH ROW
    WHEN (new.state = 'submitting' AND new.lease_token IS DISTINCT FROM old.lease_token) EXECUTE FUNCTION note_lease();
  CREATE OR REPLACE TRIGGER note_dial AFTER UPDATE OF status ON tts_calls FOR EACH ROW
    WHEN (new.status = 'DIALING' AND old.status <> 'DIALING' AND new.execution_timezone IS NOT NULL)
    EXECUTE FUNCTION note_dial();
  CREATE OR REPLACE TRIGGER note_decision AFTER INSERT OR UPDATE OF status ON consents FOR EACH ROW
    EXECUTE FUNCTION note_decision();`;

const NOTES = ["noted_moves", "noted_leases", "noted_decisions", "noted_dials"] as const;

const leases = `
  SELECT l.backend, m.message_id AS "messageId", m.merchant_id AS "merchantId", m.channel, m.type, m.purpose,
         concat_ws(' ', m.tenant_id, m.merchant_id, m.channel, m.recipient) AS owner
    FROM noted_leases l JOIN messages m ON m.message_id = l."messageId" ORDER BY l.place`;

interface LeaseRow extends Omit<NotedLease, "decisions" | "ringsAt"> {
  readonly backend: number;
  readonly owner: string;
}

/** Rows that no world has of its own. */
const KEPT: ReadonlySet<string> = new Set(["installation", "migrations"]);

/** What a recipient decided, and in which commit of the world. */
interface Decided {
  readonly commit: number;
  readonly status: Decision;
}

export class PostgresDatabase implements Database {
  readonly #connections: Connections;
  readonly #direct: SessionPort;
  readonly #own: readonly SessionPort[];
  readonly #server: StatementServer;
  readonly #tables: readonly string[];
  readonly #free: Backend[] = [];
  readonly #lent = new Set<Backend>();
  #randomness: Random | undefined;
  #commits = 0;
  /** After how many commits each backend began its transaction. */
  readonly #begun = new Map<number, number>();
  readonly #decisions = new Map<string, Decided[]>();
  takesWrite: TakesWrite = () => true;

  private constructor(connections: Connections, own: { direct: SessionPort; monitor: SessionPort }, isOurs: boolean) {
    this.#connections = connections;
    this.#direct = own.direct;
    this.#own = Object.values(own);
    this.#server = new StatementServer(own.monitor, isOurs);
    this.#tables = listTables(postgresDialect).filter((name) => !KEPT.has(name));
  }

  /** Of a database with msgd's tables, nobody else's. Only where `isOurs`, a server of this machine's, worlds are the same again. */
  static async open(url: string, isOurs: boolean): Promise<PostgresDatabase> {
    const connections = new Connections(await loadDriver(), { url, most: MOST_BACKENDS, plansByIndex: true });
    const [direct, monitor] = [await connections.take(), await connections.take()];
    for (const statement of split(watching)) await direct.ask(statement);
    return new PostgresDatabase(connections, { direct, monitor }, isOurs);
  }

  get reader(): Transaction {
    return new PostgresConnection(this.#direct, this.#chance);
  }

  async begin(randomness: Random, populate: (tx: Transaction) => Promise<void>): Promise<void> {
    this.#randomness = randomness;
    this.takesWrite = () => true;
    this.#commits = 0;
    this.#begun.clear();
    this.#decisions.clear();
    await this.#endAll();
    await this.#empty();
    const tx = new PostgresConnection(this.#direct, { opening: "BEGIN", ...this.#chance });
    await populate(tx);
    await this.#direct.ask("COMMIT");
    await this.takeNotes();
  }

  openStore({ process, scheduler, chances, random, randomness, die, beginFlush }: StoreParts): Store {
    const draw = (hasCommit: boolean): Fate => {
      if (chances.happens("store refuses", 0.1)) return random.pick(["lost on the way", "answer lost"]);
      if (!hasCommit) return "answered";
      if (chances.happens("store leaves a commit in doubt", 0.5))
        return random.pick(["lost on the way", "answer lost"]);
      return chances.happens("process dies at a write", 0.1) ? "process dies" : "answered";
    };
    const way = () =>
      chances.happens("store is slow", 0.3) ? random.spread(USUAL_US, LONGEST_US) : random.spread(LEAST_US, USUAL_US);
    const noteCommit = async () => void (await beginFlush());
    const parts = { ...this.#sessionParts(scheduler), process, random, way, draw, noteCommit, die };
    const pool = (name: string, most: number) => new SimulatedPool({ ...parts, name: `${process.name}${name}`, most });
    const [connections, longReads] = [pool("", MOST_CONNECTIONS), pool(" long", 1)];
    process.whenDead(() => {
      void connections.close();
      void longReads.close();
    });
    const ports = {
      clock: process.clock,
      randomness,
      nextTurn: (run: () => void) => void scheduler.in(way(), "turn", process, run),
    };
    return createPooledStore({ connections, longReads, mostConnections: MOST_CONNECTIONS + 1, ports });
  }

  async operate<T>(work: (tx: Transaction) => Promise<T>, scheduler: Scheduler): Promise<T> {
    const { randomness } = this.#chance;
    const connections = new SimulatedPool({
      ...this.#sessionParts(scheduler),
      name: "operator",
      process: undefined,
      most: 1,
      random: randomness,
      way: () => randomness.spread(LEAST_US, USUAL_US),
      draw: () => "answered",
      takesWrite: () => true,
      noteCommit: async () => void (await this.takeNotes()),
      die: () => {},
    });
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
  }

  async takeNotes(): Promise<Notes> {
    this.#commits += 1;
    const { rows: moves } = await this.#direct.ask<Move>(
      `SELECT "messageId", "from", "to" FROM noted_moves ORDER BY place`,
    );
    const { rows: decided } = await this.#direct.ask<{ owner: string; status: Decision }>(
      "SELECT owner, status FROM noted_decisions ORDER BY place",
    );
    const { rows: leased } = await this.#direct.ask<LeaseRow>(leases);
    const { rows: dials } = await this.#direct.ask<NotedDial>(
      `SELECT "requestId", zone, at FROM noted_dials ORDER BY place`,
    );
    for (const { owner, status } of decided) {
      const known = this.#decisions.get(owner) ?? [];
      this.#decisions.set(owner, [...known, { commit: this.#commits, status }]);
    }
    if (moves.length + decided.length + leased.length + dials.length > 0) {
      for (const table of NOTES) await this.#direct.ask(`DELETE FROM ${table}`);
    }
    return {
      moves,
      leases: leased.map(({ backend, owner, ...lease }) => ({
        ...lease,
        decisions: this.#decisionsSince(owner, this.#begun.get(backend) ?? 0),
        // its row does not say
        ringsAt: undefined,
      })),
      dials,
    };
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
    if (this.#randomness === undefined) throw new Error("something was drawn by chance before the first world");
    return { randomness: this.#randomness };
  }

  /** The decision that held after so many commits, and those since. */
  #decisionsSince(owner: string, commit: number): Decision[] {
    const all = this.#decisions.get(owner) ?? [];
    const before = all.filter((one) => one.commit <= commit).at(-1)?.status ?? null;
    return [before, ...all.filter((one) => one.commit > commit).map(({ status }) => status)];
  }

  #sessionParts(scheduler: Scheduler) {
    return {
      server: this.#server,
      scheduler,
      takesWrite: () => this.takesWrite(),
      noteBegin: ({ pid }: Backend) => void this.#begun.set(pid, this.#commits),
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

  /** Its limits are the world's. */
  async #connect(): Promise<Backend> {
    const session = await this.#connections.take();
    const limits = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"].map(
      (name) => `${name} = 0`,
    );
    for (const setting of [...limits, "deadlock_timeout = '1h'"]) await session.ask(`SET ${setting}`);
    const { rows } = await session.ask<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    return { session, pid: rows[0]?.pid ?? 0 };
  }

  /** Ends what is open of those who are gone. */
  async #endAll(): Promise<void> {
    for (const backend of this.#lent) if (this.#server.isWaiting(backend)) await this.#server.cancel(backend);
    for (const backend of [...this.#lent]) {
      await this.#server.run(backend, "ROLLBACK", [], () => this.#takeBack(backend));
    }
  }

  /** Also of what lay in its files: rows come in the same order again where nobody asked for one. */
  async #empty(): Promise<void> {
    await this.#direct.ask(`TRUNCATE ${[...this.#tables, ...NOTES].join(", ")} RESTART IDENTITY`);
  }
}

/** Statements of a text, one by one; a function's own end in spaces. */
function split(text: string): string[] {
  return text.split(/;\n {2}(?=CREATE)/);
}
