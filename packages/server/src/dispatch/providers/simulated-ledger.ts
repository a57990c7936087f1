// What the simulated provider remembers, in a database of its own: like a real one, it outlives the server's crashes.

import { closeSync, openSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import type { ProviderEvent } from "./provider.ts";

export interface LedgerEntry {
  /** How often the message was submitted, and how often it was taken and so really sent. */
  attempts: number;
  sends: number;
  /** 0 when the provider keeps what became of the message to itself. */
  answersFind: 0 | 1;
}

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

  /** `path` is a file, made with mode 0600 when missing, or `:memory:`. */
  constructor(path: string) {
    if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
    this.#database = new BetterSqlite3(path, { timeout: BUSY_TIMEOUT_MS });
    this.#database.pragma("journal_mode = WAL");
    // a killed process loses nothing that was committed; only a power cut could, and this is a simulation
    this.#database.pragma("synchronous = NORMAL");
    this.#database.exec(tables);
    this.#statements = prepareStatements(this.#database);
  }

  /** Runs `work` in one transaction with what else arrives in this turn of the event loop; settles once committed. */
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

  save(reference: string, entry: LedgerEntry): void {
    this.#statements.save.run(reference, entry.attempts, entry.sends, entry.answersFind);
  }

  schedule(event: ProviderEvent, dueAt: number): void {
    this.#statements.schedule.run(event.eventId, dueAt, JSON.stringify(event));
  }

  /** Events to tell by `now`, earliest first. */
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
    this.#statements.clearSpeech.run();
    this.#statements.clearSubmissions.run();
    this.#statements.clearEvents.run();
  }

  /** Commits what is queued, then lets go of the file. */
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

const tables = `
  CREATE TABLE IF NOT EXISTS submissions (
    reference TEXT PRIMARY KEY,
    attempts INTEGER NOT NULL,
    sends INTEGER NOT NULL,
    answers_find INTEGER NOT NULL
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
      "SELECT attempts, sends, answers_find AS answersFind FROM submissions WHERE reference = ?",
    ),
    save: database.prepare<[string, number, number, number]>(
      `INSERT INTO submissions (reference, attempts, sends, answers_find) VALUES (?, ?, ?, ?)
       ON CONFLICT (reference) DO UPDATE SET attempts = excluded.attempts, sends = excluded.sends`,
    ),
    schedule: database.prepare<[string, number, string]>(
      "INSERT INTO events (event_id, due_at, body) VALUES (?, ?, ?)",
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
    clearSpeech: database.prepare<[]>("DELETE FROM speeches"),
    clearSubmissions: database.prepare<[]>("DELETE FROM submissions"),
    clearEvents: database.prepare<[]>("DELETE FROM events"),
  };
}
