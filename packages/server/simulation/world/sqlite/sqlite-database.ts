import BetterSqlite3 from "better-sqlite3";
import type { Randomness } from "../../../src/platform/randomness.ts";
import { listTables, migrate } from "../../../src/store/migrate.ts";
import { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { type Store, StoreUnavailable, type Transaction } from "../../../src/store/store.ts";
import type {
  Database,
  Image,
  Move,
  NoteCircle,
  NotedDial,
  NotedLease,
  Notes,
  StoreOptions,
  TakesWrite,
} from "../database.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const noteLease = `
  INSERT INTO leases SELECT m.message_id, m.merchant_id, m.channel, m.type, m.purpose,
    (SELECT c.status FROM consents c WHERE c.tenant_id = m.tenant_id AND c.merchant_id = m.merchant_id
        AND c.channel = m.channel AND c.contact = lower(m.recipient)),
    CASE WHEN m.channel = 'VOICE' THEN m.updated_at END
    FROM messages m WHERE m.message_id = new.message_id;`;

const watching = `
  CREATE TEMP TABLE moves (messageId TEXT, "from" TEXT, "to" TEXT);
  CREATE TEMP TABLE leases (messageId TEXT, merchantId TEXT, channel TEXT, type TEXT, purpose TEXT, consent TEXT,
    ringsAt INTEGER);
  CREATE TEMP TABLE dials (requestId INTEGER, zone TEXT, at INTEGER);
  CREATE TEMP TRIGGER note_move AFTER UPDATE OF status ON main.messages WHEN new.status <> old.status BEGIN
    INSERT INTO moves VALUES (new.message_id, old.status, new.status);
  END;
  CREATE TEMP TRIGGER note_dial AFTER UPDATE OF status ON main.tts_calls
    WHEN new.status = 'DIALING' AND old.status <> 'DIALING' AND new.execution_timezone IS NOT NULL BEGIN
    INSERT INTO dials VALUES (new.request_id, new.execution_timezone, new.updated_at);
  END;
  CREATE TEMP TRIGGER note_lease AFTER INSERT ON main.dispatches WHEN new.state = 'submitting' BEGIN ${noteLease} END;
  CREATE TEMP TRIGGER note_next_lease AFTER UPDATE ON main.dispatches
    WHEN new.state = 'submitting' AND new.lease_token IS NOT old.lease_token BEGIN ${noteLease} END;`;

class Connection extends SqliteConnection {
  readonly #takesWrite: TakesWrite;

  constructor(handle: BetterSqlite3.Database, randomness: Randomness, takesWrite: TakesWrite) {
    super(handle, randomness);
    this.#takesWrite = takesWrite;
  }

  override async run(...asked: Parameters<SqliteConnection["run"]>): Promise<number> {
    if (!this.#takesWrite()) throw new StoreUnavailable("the database failed: SQLITE_FULL");
    return super.run(...asked);
  }
}

/** SQLite in memory: transactions never interleave. */
export class SqliteDatabase implements Database {
  readonly #sqlite: BetterSqlite3.Database;
  readonly #tables: readonly Table[];
  readonly #connections: SqliteConnection[] = [];
  readonly #operator: SqliteConnection;
  readonly #notes: { readonly [Kind in keyof Notes]: Table };
  readonly #prepared = new Map<string, BetterSqlite3.Statement>();
  #randomness: Randomness;
  /** Called before each statement that writes. */
  takesWrite: TakesWrite = () => true;
  /** Never called: transactions do not interleave, so there are no deadlocks. */
  noteCircle: NoteCircle = () => {};

  private constructor(sqlite: BetterSqlite3.Database, randomness: Randomness) {
    this.#sqlite = sqlite;
    this.#randomness = randomness;
    this.#operator = new SqliteConnection(sqlite, this.#chance);
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("temp_store = MEMORY");
    sqlite.exec(watching);
    const names = new Set(listTables(this.#operator.dialect).filter((name) => !KEPT.has(name)));
    this.#tables = [...names, "sqlite_sequence"].map((name) => prepareTable(sqlite, name));
    this.#notes = {
      moves: prepareTable(sqlite, "moves"),
      leases: prepareTable(sqlite, "leases"),
      dials: prepareTable(sqlite, "dials"),
    };
  }

  static async create(): Promise<SqliteDatabase> {
    const sqlite = new BetterSqlite3(":memory:");
    await migrate(new SqliteConnection(sqlite), 0);
    return new SqliteDatabase(sqlite, systemless);
  }

  get reader(): Transaction {
    return this.#operator;
  }

  async begin(randomness: Randomness, populate: (tx: Transaction) => Promise<void>): Promise<void> {
    this.#randomness = randomness;
    this.takesWrite = () => true;
    await this.restore([]);
    await this.operate(populate);
  }

  openStore(options: StoreOptions): Store {
    const { instance } = options;
    this.#connections[instance] ??= new Connection(this.#sqlite, this.#chance, () => this.takesWrite());
    return openSqliteStore(this.#connections[instance], options);
  }

  async image(): Promise<Rows[]> {
    return this.#tables.map(({ all }) => all.all() as Rows);
  }

  async restore(image: Image): Promise<void> {
    this.#sqlite.exec("BEGIN");
    for (const { empty } of [...this.#tables].reverse()) empty.run();
    for (const [index, rows] of (image as readonly Rows[]).entries()) {
      for (const row of rows) this.#tables[index]?.insert.run(row);
    }
    this.#sqlite.exec("COMMIT");
    for (const { empty } of Object.values(this.#notes)) empty.run();
  }

  async operate<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#sqlite.exec("BEGIN");
    const done = await work(this.#operator);
    this.#sqlite.exec("COMMIT");
    return done;
  }

  async takeNotes(): Promise<Notes> {
    const leases = take<LeaseRow>(this.#notes.leases);
    return {
      moves: take<Move>(this.#notes.moves),
      leases: leases.map(({ consent, ringsAt, ...lease }) => ({
        ...lease,
        decisions: [consent],
        ringsAt: ringsAt ?? undefined,
      })),
      dials: take<NotedDial>(this.#notes.dials),
    };
  }

  async all<Row>(sql: string): Promise<Row[]> {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#sqlite.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement.all() as Row[];
  }

  async close(): Promise<void> {
    this.#sqlite.close();
  }

  readonly #chance: Randomness = {
    bytes: (count) => this.#randomness.bytes(count),
    below: (limit) => this.#randomness.below(limit),
    fraction: () => this.#randomness.fraction(),
  };
}

/** Rows of a table, each as the list of its values. */
type Rows = readonly (readonly unknown[])[];

interface LeaseRow extends Omit<NotedLease, "decisions" | "ringsAt"> {
  readonly ringsAt: number | null;
  readonly consent: NotedLease["decisions"][number];
}

/** Tables whose rows are kept between worlds. */
const KEPT: ReadonlySet<string> = new Set(["installation", "migrations"]);

interface Table {
  /** Rows as lists of values. */
  readonly all: BetterSqlite3.Statement;
  readonly insert: BetterSqlite3.Statement;
  readonly empty: BetterSqlite3.Statement;
  readonly columns: readonly string[];
}

function prepareTable(sqlite: BetterSqlite3.Database, name: string): Table {
  const all = sqlite.prepare(`SELECT * FROM ${name}`).raw();
  const columns = all.columns().map((column) => column.name);
  const insert = sqlite.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => "?").join(", ")})`);
  return { all, insert, empty: sqlite.prepare(`DELETE FROM ${name}`), columns };
}

function take<Note>({ all, empty, columns }: Table): Note[] {
  const rows = all.all() as unknown[][];
  if (rows.length > 0) empty.run();
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])) as Note);
}

/** Source of randomness before the first world: each draw throws. */
const systemless: Randomness = {
  bytes: noChance,
  below: noChance,
  fraction: noChance,
};

function noChance(): never {
  throw new Error("a random number was drawn before the first world");
}
