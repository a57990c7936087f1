// The search index of messages: a separate file that uses SQLite's full-text search (docs/decisions/0042). It is derived
// from the messages, so the file can be deleted at any time.

import { rmSync } from "node:fs";
import BetterSqlite3, { type Database, type Statement } from "better-sqlite3";
import type { FileLock } from "../platform/file-lock.ts";
import type { SearchDocument } from "./search-terms.ts";
import { type AskedTallies, listTallies, makeTallies, type TalliedMessages, Tallies, type Tally } from "./tallies.ts";

/** The version of the file's format. A file of another version is deleted and recreated. */
const FORM = 7;
const CACHE_KIB = 8_192;
const BUSY_TIMEOUT_MS = 5_000;
/**
 * Positions per table of documents. FTS5 may scan a whole table to find one match, and a search can stop only between
 * tables.
 */
const SHARD = 524_288;

/** A message and its position. Searches return the highest position first. */
export interface IndexedMessage extends SearchDocument {
  readonly position: number;
  readonly messageId: string;
  readonly createdAt: number;
  /** The tally that counts the message. @default none */
  readonly tally?: Tally | undefined;
}

/** A message that may match a search: the caller must check it. */
export interface Finding {
  readonly position: number;
  readonly messageId: string;
  readonly createdAt: number;
}

/** A message that is due for another check. */
interface DueMessage extends Pick<Finding, "position" | "messageId"> {
  readonly state: string;
}

export interface Findings {
  /** Highest position first. */
  readonly found: readonly Finding[];
  /** The position below which the search continues; undefined at the end. */
  readonly next: number | undefined;
}

interface FindOptions {
  /** Search only below this position. @default all positions */
  readonly below?: number | undefined;
  readonly limit: number;
  /** Called repeatedly. If it returns false, the search returns what it has found so far. @default always true */
  readonly mayGoOn?: () => boolean;
}

export class SearchIndex {
  readonly #database: Database;
  readonly #prepared = new Map<string, Statement>();
  /** Undefined if the index was opened for reading only. */
  readonly #tallies: Tallies | undefined;
  /** The numbers of the tables of documents. Each table covers `SHARD` positions. */
  #shards: Set<number>;
  /** The schema version when the tables were last listed: another process may add tables. */
  #schemaVersion: number | undefined;
  /** The lock that is held as long as the index is open. */
  readonly #lock: FileLock | undefined;

  private constructor(database: Database, lock?: FileLock) {
    this.#database = database;
    this.#lock = lock;
    this.#tallies = database.readonly ? undefined : new Tallies(database);
    this.#shards = listShards(database);
  }

  /**
   * Opens the file at `path`, or an index in memory for `:memory:`. A file that is missing, damaged or of another version
   * is recreated. Closing the index releases the lock.
   */
  static open(path: string, lock?: FileLock): SearchIndex {
    try {
      return new SearchIndex(openDatabase(path), lock);
    } catch (error) {
      if (!(error instanceof OtherForm) && !isDamaged(error)) throw error;
      for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
      return new SearchIndex(openDatabase(path), lock);
    }
  }

  /** Opens the file at `path` for searches only; another process or thread updates it. Throws if there is no file. */
  static openToRead(path: string): SearchIndex {
    const database = new BetterSqlite3(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      database.pragma(`cache_size = -${CACHE_KIB}`);
      if (readForm(database) !== FORM) throw new OtherForm("the search index has another format version");
      return new SearchIndex(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** The lowest and highest positions in use; undefined if the index is empty. */
  get positions(): { readonly lowest: number; readonly highest: number } | undefined {
    // two subqueries, because MIN and MAX in one query would scan all positions
    const ends =
      "SELECT (SELECT MIN(position) FROM positions) AS lowest, (SELECT MAX(position) FROM positions) AS highest";
    const { lowest, highest } = this.#one<{ lowest: number | null; highest: number | null }>(ends) ?? {};
    return typeof lowest === "number" && typeof highest === "number" ? { lowest, highest } : undefined;
  }

  /** Returns the message's position; undefined if it is not in the index. */
  positionOf(messageId: string): number | undefined {
    return this.#one<{ position: number }>("SELECT position FROM positions WHERE message_id = ?", messageId)?.position;
  }

  /**
   * Finds the position that separates messages accepted before `epochMs` from later ones. A message whose transaction
   * committed late may be on the wrong side.
   */
  positionAt(epochMs: number): number | undefined {
    const { positions } = this;
    if (positions === undefined) return undefined;
    const at = "SELECT position, created_at AS createdAt FROM positions WHERE position >= ? ORDER BY position LIMIT 1";
    let { lowest, highest } = positions;
    highest += 1;
    while (lowest < highest) {
      const middle = Math.floor((lowest + highest) / 2);
      const found = this.#one<{ position: number; createdAt: number }>(at, middle);
      if (found !== undefined && found.createdAt < epochMs) lowest = found.position + 1;
      else highest = middle;
    }
    return lowest;
  }

  /**
   * Stores messages at their positions (integers of 0 or more), and replaces any messages there. The documents are
   * inserted after all other rows, in ascending order of position. FTS5 would otherwise flush its buffer more often: it
   * does so at each savepoint, and whenever a position is lower than the previous one.
   */
  write(messages: readonly IndexedMessage[]): void {
    const insert = "INSERT OR REPLACE INTO positions (position, message_id, created_at, tally) VALUES (?, ?, ?, ?)";
    this.together(() => {
      for (const { position, messageId, createdAt, tally } of messages) {
        const counted = this.#tallies?.move(this.#tallyOf(position), tally) ?? null;
        this.#prepare(insert).run(position, messageId, createdAt, counted);
      }
      const inOrder = [...messages].sort((one, other) => one.position - other.position);
      for (const { position, terms, words } of inOrder) {
        const document = `INSERT OR REPLACE INTO ${this.#makeShard(position)} (rowid, terms, words) VALUES (?, ?, ?)`;
        this.#prepare(document).run(position, terms, words);
      }
    });
  }

  remove(positions: readonly number[]): void {
    this.together(() => {
      const removed = positions.filter((position) => {
        this.#tallies?.move(this.#tallyOf(position), undefined);
        this.setDue(position, undefined);
        return this.#prepare("DELETE FROM positions WHERE position = ?").run(position).changes > 0;
      });
      for (const position of removed.sort((one, other) => one - other))
        this.#prepare(`DELETE FROM ${documentsOf(shardOf(position))} WHERE rowid = ?`).run(position);
    });
  }

  /** Removes all contents. */
  clear(): void {
    this.together(() => {
      for (const table of ["positions", "due", "marks", "tallies"]) this.#prepare(`DELETE FROM ${table}`).run();
      for (const shard of this.#shards) this.#database.exec(`DROP TABLE ${documentsOf(shard)}`);
      this.#shards.clear();
      this.#tallies?.forgetIds();
    });
  }

  /** Returns the number of messages by hour and outcome. */
  listTallies(asked: AskedTallies): TalliedMessages[] {
    return listTallies(this.#database, asked);
  }

  /** Removes the counts of hours before `before`. */
  removeTallies(before: number): void {
    this.together(() => this.#tallies?.removeBefore(before));
  }

  /** Returns the value stored under a name; undefined if there is none. */
  mark(name: string): string | undefined {
    return this.#one<{ value: string }>("SELECT value FROM marks WHERE name = ?", name)?.value;
  }

  /** Stores a value under a name. */
  setMark(name: string, value: string): void {
    this.#prepare("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)").run(name, value);
  }

  /**
   * Makes `listDue` return the message with this state once the time `at` (epoch milliseconds) has come. If `due` is
   * undefined, `listDue` no longer returns the message.
   */
  setDue(position: number, due: { readonly at: number; readonly state: string } | undefined): void {
    if (due === undefined) this.#prepare("DELETE FROM due WHERE position = ?").run(position);
    else
      this.#prepare("INSERT OR REPLACE INTO due (position, due_at, state) VALUES (?, ?, ?)").run(
        position,
        due.at,
        due.state,
      );
  }

  /** Lists up to `limit` messages due by `now`, earliest first. */
  listDue(now: number, limit: number): DueMessage[] {
    const due = `SELECT p.position, p.message_id AS "messageId", d.state FROM due d JOIN positions p ON p.position = d.position
                  WHERE d.due_at <= ? ORDER BY d.due_at, d.position LIMIT ?`;
    return this.#prepare(due).all(now, limit) as DueMessage[];
  }

  /** Runs `change` in a transaction, or in the open one if there is one. */
  together(change: () => void): void {
    if (this.#database.inTransaction) {
      change();
      return;
    }
    const known = [...this.#shards];
    try {
      this.#database.transaction(() => {
        change();
        this.#tallies?.count();
      })();
    } catch (error) {
      // the rollback has also removed new tables
      this.#tallies?.forgetIds();
      this.#shards.clear();
      for (const shard of known) this.#shards.add(shard);
      throw error;
    }
  }

  /** Returns the messages that match an expression of `toMatch`. */
  find(match: string, { below = Number.MAX_SAFE_INTEGER, limit, mayGoOn = () => true }: FindOptions): Findings {
    this.#listNewShards();
    const found: Finding[] = [];
    const shards = [...this.#shards].filter((shard) => shard * SHARD < below).sort((one, other) => other - one);
    for (const [index, shard] of shards.entries()) {
      if (index > 0 && !mayGoOn()) return { found, next: (shard + 1) * SHARD };
      const find = this.#prepare(
        `SELECT d.rowid AS position, p.message_id AS "messageId", p.created_at AS "createdAt"
           FROM ${documentsOf(shard)} d JOIN positions p ON p.position = d.rowid
          WHERE d.${documentsOf(shard)} MATCH ? AND d.rowid < ? ORDER BY d.rowid DESC LIMIT ?`,
      );
      found.push(...(find.all(match, below, limit - found.length) as Finding[]));
      if (found.length === limit) return { found, next: found.at(-1)?.position };
    }
    return { found, next: undefined };
  }

  close(): void {
    this.#database.close();
    this.#lock?.release();
  }

  #tallyOf(position: number): number | null {
    return (
      this.#one<{ tally: number | null }>("SELECT tally FROM positions WHERE position = ?", position)?.tally ?? null
    );
  }

  #makeShard(position: number): string {
    const shard = shardOf(position);
    const documents = documentsOf(shard);
    if (this.#shards.has(shard)) return documents;
    // contentless: the texts are stored only with the messages, not in the index
    this.#database.exec(
      `CREATE VIRTUAL TABLE ${documents} USING fts5 (terms, words, content = '', contentless_delete = 1,
         tokenize = "unicode61 remove_diacritics 0 tokenchars '${PUNCTUATION}'")`,
    );
    this.#shards.add(shard);
    return documents;
  }

  /** Lists the tables of documents again if another process has changed the schema. */
  #listNewShards(): void {
    if (!this.#database.readonly) return;
    const version = this.#database.pragma("schema_version", { simple: true }) as number;
    if (version === this.#schemaVersion) return;
    this.#schemaVersion = version;
    this.#shards = listShards(this.#database);
  }

  #one<Row>(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  #prepare(sql: string): Statement {
    const statement = this.#prepared.get(sql) ?? this.#database.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}

function shardOf(position: number): number {
  return Math.floor(position / SHARD);
}

function documentsOf(shard: number): string {
  return `documents_${shard}`;
}

function listShards(database: Database): Set<number> {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'documents_*'");
  const numbers = tables.all().flatMap((row) => /^documents_(\d+)$/.exec((row as { name: string }).name)?.[1] ?? []);
  return new Set(numbers.map(Number));
}

class OtherForm extends Error {}

function openDatabase(path: string): Database {
  const database = new BetterSqlite3(path);
  try {
    database.pragma("journal_mode = WAL");
    // a crash may lose the last transactions, which are then repeated, but it never leaves a transaction half done
    database.pragma("synchronous = NORMAL");
    database.pragma(`cache_size = -${CACHE_KIB}`);
    const form = readForm(database);
    if (form === 0) database.transaction(() => makeTables(database))();
    else if (form !== FORM) throw new OtherForm(`the search index has format version ${form}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function readForm(database: Database): number {
  return database.pragma("user_version", { simple: true }) as number;
}

function makeTables(database: Database): void {
  database.exec(
    `CREATE TABLE positions (position INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
       tally INTEGER);
     ${makeTallies}
     CREATE TABLE due (position INTEGER PRIMARY KEY, due_at INTEGER NOT NULL, state TEXT NOT NULL);
     CREATE INDEX due_in_order ON due (due_at, position);
     CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL);
     PRAGMA user_version = ${FORM}`,
  );
}

/** The ASCII characters that terms may contain besides letters and digits: all but quotation marks and space. */
const PUNCTUATION = "!#$%&()*+,-./:;<=>?@[\\]^_`{|}~";

const DAMAGED = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CORRUPT_VTAB"]);

function isDamaged(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && DAMAGED.has(error.code);
}
