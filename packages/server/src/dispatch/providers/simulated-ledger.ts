// What the simulated provider remembers, in a database of its own: like a real one, it outlives the server's crashes.

import { closeSync, openSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import type { ProviderEvent } from "./provider.ts";

export interface LedgerEntry {
  /** How often the message was submitted, and how often it was taken, and so actually sent. */
  readonly attempts: number;
  readonly sends: number;
  /** 0 if the provider does not answer questions about the message. */
  readonly answersFind: 0 | 1;
  /** JSON of the last submission, without its text. */
  readonly submission: string;
  /** Time of the last submission, in epoch milliseconds. */
  readonly submittedAt: number;
}

/** A payment as the simulated processor knows it. */
export interface LedgerPayment {
  readonly paymentMethod: string | null;
  /** How often its charge was requested: once, unless the server is broken. */
  readonly charges: number;
  readonly submittedAt: number;
}

/** How many of the last submissions are kept in order: the most that a caller may ask for. */
const NEWEST = 1_024;

interface Work {
  run: () => void;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

const BUSY_TIMEOUT_MS = 5_000;

/** Counts what is sent under each client reference, and keeps each event until it is acknowledged. */
export class SimulatedLedger {
  readonly #database: BetterSqlite3.Database;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #queue: Work[] = [];
  #isScheduled = false;
  #submissions: number;

  /** `path` is a file, made with mode 0600 when missing, or `:memory:`. */
  constructor(path: string) {
    if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
    this.#database = new BetterSqlite3(path, { timeout: BUSY_TIMEOUT_MS });
    this.#database.pragma("journal_mode = WAL");
    // a killed process loses no commit; only a power cut could, and this is a simulation
    this.#database.pragma("synchronous = NORMAL");
    bringUpToDate(this.#database);
    this.#statements = prepareStatements(this.#database);
    this.#submissions = this.#statements.countSubmissions.get()?.count ?? 0;
  }

  /** Runs `work` in one transaction with all work queued in this turn of the event loop; settles once committed. */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      const run = () => {
        result = work();
      };
      this.#queue.push({ run, resolve: () => resolve(result), reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#commit());
    });
  }

  get isBusy(): boolean {
    return this.#isScheduled;
  }

  find(reference: string): LedgerEntry | undefined {
    return this.#statements.find.get(reference);
  }

  save(reference: string, { attempts, sends, answersFind, submission, submittedAt }: LedgerEntry): void {
    this.#statements.save.run(reference, attempts, sends, answersFind, submission, submittedAt);
    this.#submissions += 1;
    this.#statements.note.run(this.#submissions % NEWEST, this.#submissions, reference);
  }

  /** The references of the last submissions, at most 1 024, newest first. */
  listNewest(limit: number): string[] {
    return this.#statements.listNewest.all(limit).map(({ reference }) => reference);
  }

  findPayment(reference: string): LedgerPayment | undefined {
    return this.#statements.findPayment.get(reference);
  }

  savePayment(reference: string, { paymentMethod, charges, submittedAt }: LedgerPayment): void {
    this.#statements.savePayment.run(reference, paymentMethod, charges, submittedAt);
  }

  /** Keeps an event until it is acknowledged; one already kept stays as it is. */
  schedule(event: ProviderEvent, dueAt: number): void {
    this.#statements.schedule.run(event.eventId, dueAt, JSON.stringify(event));
  }

  /** Events due by `now`, earliest first. */
  listDue(now: number, limit: number): ProviderEvent[] {
    return this.#statements.listDue.all(now, limit).map(({ body }) => JSON.parse(body));
  }

  findNextDue(): number | undefined {
    return this.#statements.nextDue.get()?.dueAt ?? undefined;
  }

  acknowledge(event: ProviderEvent): void {
    this.#statements.acknowledge.run(event.eventId);
  }

  postpone(event: ProviderEvent, dueAt: number): void {
    this.#statements.postpone.run(dueAt, event.eventId);
  }

  countSpeech(reference: string): number {
    return this.#statements.countSpeech.get(reference)?.syntheses ?? 0;
  }

  addSpeech(reference: string): void {
    this.#statements.addSpeech.run(reference);
  }

  clear(): void {
    this.#submissions = 0;
    this.#statements.clearNewest.run();
    this.#statements.clearPayments.run();
    this.#statements.clearSpeech.run();
    this.#statements.clearSubmissions.run();
    this.#statements.clearEvents.run();
  }

  /** Commits what is queued, then closes the file. */
  close(): void {
    this.#commit();
    this.#database.close();
  }

  #commit(): void {
    this.#isScheduled = false;
    const group = this.#queue.splice(0);
    if (group.length === 0) return;
    try {
      this.#database
        .transaction(() => {
          for (const { run } of group) run();
        })
        .immediate();
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { resolve } of group) resolve();
  }
}

/** Upgrades a ledger made by an earlier release. */
function bringUpToDate(database: BetterSqlite3.Database): void {
  database.exec(tables);
  const columns = database.pragma("table_info(submissions)") as { name: string }[];
  if (columns.some(({ name }) => name === "submission")) return;
  database.exec(`
    ALTER TABLE submissions ADD COLUMN submission TEXT NOT NULL DEFAULT '';
    ALTER TABLE submissions ADD COLUMN submitted_at INTEGER NOT NULL DEFAULT 0;
  `);
}

const tables = `
  CREATE TABLE IF NOT EXISTS submissions (
    reference TEXT PRIMARY KEY,
    attempts INTEGER NOT NULL,
    sends INTEGER NOT NULL,
    answers_find INTEGER NOT NULL,
    submission TEXT NOT NULL,
    submitted_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS newest (
    slot INTEGER PRIMARY KEY,
    submission INTEGER NOT NULL,
    reference TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS payments (
    reference TEXT PRIMARY KEY,
    payment_method TEXT,
    charges INTEGER NOT NULL,
    submitted_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS speeches (
    reference TEXT PRIMARY KEY,
    syntheses INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS events (
    event_id TEXT NOT NULL UNIQUE,
    position INTEGER PRIMARY KEY,
    due_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS events_due ON events (due_at);
`;

function prepareStatements(database: BetterSqlite3.Database) {
  return {
    find: database.prepare<[string], LedgerEntry>(
      `SELECT attempts, sends, answers_find AS answersFind, submission, submitted_at AS submittedAt
         FROM submissions WHERE reference = ?`,
    ),
    save: database.prepare<[string, number, number, number, string, number]>(
      `INSERT INTO submissions (reference, attempts, sends, answers_find, submission, submitted_at)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (reference) DO UPDATE SET attempts = excluded.attempts, sends = excluded.sends,
         submission = excluded.submission, submitted_at = excluded.submitted_at`,
    ),
    countSubmissions: database.prepare<[], { count: number | null }>("SELECT MAX(submission) AS count FROM newest"),
    note: database.prepare<[number, number, string]>(
      "INSERT OR REPLACE INTO newest (slot, submission, reference) VALUES (?, ?, ?)",
    ),
    listNewest: database.prepare<[number], { reference: string }>(
      "SELECT reference FROM newest ORDER BY submission DESC LIMIT ?",
    ),
    findPayment: database.prepare<[string], LedgerPayment>(
      `SELECT payment_method AS paymentMethod, charges, submitted_at AS submittedAt FROM payments WHERE reference = ?`,
    ),
    savePayment: database.prepare<[string, string | null, number, number]>(
      `INSERT INTO payments (reference, payment_method, charges, submitted_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (reference) DO UPDATE SET charges = excluded.charges`,
    ),
    schedule: database.prepare<[string, number, string]>(
      "INSERT INTO events (event_id, due_at, body) VALUES (?, ?, ?) ON CONFLICT (event_id) DO NOTHING",
    ),
    listDue: database.prepare<[number, number], { body: string }>(
      "SELECT body FROM events WHERE due_at <= ? ORDER BY due_at, position LIMIT ?",
    ),
    nextDue: database.prepare<[], { dueAt: number | null }>("SELECT MIN(due_at) AS dueAt FROM events"),
    acknowledge: database.prepare<[string]>("DELETE FROM events WHERE event_id = ?"),
    postpone: database.prepare<[number, string]>("UPDATE events SET due_at = ? WHERE event_id = ?"),
    countSpeech: database.prepare<[string], { syntheses: number }>(
      "SELECT syntheses FROM speeches WHERE reference = ?",
    ),
    addSpeech: database.prepare<[string]>(
      "INSERT INTO speeches (reference, syntheses) VALUES (?, 1) ON CONFLICT (reference) DO UPDATE SET syntheses = syntheses + 1",
    ),
    clearNewest: database.prepare<[]>("DELETE FROM newest"),
    clearPayments: database.prepare<[]>("DELETE FROM payments"),
    clearSpeech: database.prepare<[]>("DELETE FROM speeches"),
    clearSubmissions: database.prepare<[]>("DELETE FROM submissions"),
    clearEvents: database.prepare<[]>("DELETE FROM events"),
  };
}
