// The ledger in a file of its own, which one process has to itself.

import { closeSync, openSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { setImmediate } from "../../../platform/timers.ts";
import type { MessageEvent } from "../provider.ts";
import { type EventKey, listEvents, readEventKey, tellEvent, writeReport } from "./events.ts";
import type { Arrival, Counts, Ledger, LedgerEntry, LedgerPayment, LedgerSurroundings, Sent, Told } from "./ledger.ts";

/** How many of the last submissions are kept in order: the most that a caller may ask for. */
const NEWEST = 1_024;

interface Work {
  run: () => void;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

const BUSY_TIMEOUT_MS = 5_000;

/** `path` is a file, made with mode 0600 when missing, or `:memory:`. */
export class SqliteLedger implements Ledger {
  readonly #surroundings: LedgerSurroundings;
  readonly #database: BetterSqlite3.Database;
  readonly #statements: ReturnType<typeof prepareStatements>;
  #queue: Work[] = [];
  #isScheduled = false;
  #submissions: number;

  constructor(path: string, surroundings: LedgerSurroundings) {
    this.#surroundings = surroundings;
    if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
    this.#database = new BetterSqlite3(path, { timeout: BUSY_TIMEOUT_MS });
    this.#database.pragma("journal_mode = WAL");
    // a killed process loses no commit; only a power cut could, and this is a simulation
    this.#database.pragma("synchronous = NORMAL");
    bringUpToDate(this.#database);
    this.#statements = prepareStatements(this.#database);
    this.#submissions = this.#statements.countSubmissions.get()?.count ?? 0;
  }

  get isBusy(): boolean {
    return this.#isScheduled;
  }

  submit(arrival: Arrival): Promise<Counts> {
    return this.#write(() => this.#count(arrival));
  }

  async find(reference: string): Promise<LedgerEntry | undefined> {
    return this.#statements.find.get(reference);
  }

  async listNewest(limit: number): Promise<string[]> {
    return this.#statements.listNewest.all(limit).map(({ reference }) => reference);
  }

  report(sent: Sent): Promise<void> {
    return this.#write(() => this.#schedule(sent));
  }

  findNextDue(): number | undefined {
    return this.#statements.nextDue.get()?.dueAt ?? undefined;
  }

  async claimDue(limit: number): Promise<MessageEvent[]> {
    const due = this.#statements.listDue.all(this.#surroundings.now(), limit);
    return due.map(({ reference, send, index, report }) =>
      tellEvent({ reference, send, index, report: JSON.parse(report) }),
    );
  }

  settle(told: readonly Told[], retellAt: number): Promise<void> {
    return this.#write(() => {
      for (const { event, isRecorded } of told) {
        const { reference, send, index } = readEventKey(event);
        if (isRecorded) this.#statements.acknowledge.run(reference, send, index);
        else this.#statements.postpone.run(retellAt, reference, send, index);
      }
    });
  }

  charge(
    reference: string,
    { paymentMethod, submittedAt }: Pick<LedgerPayment, "paymentMethod" | "submittedAt">,
  ): Promise<LedgerPayment> {
    return this.#write(() => {
      const known = this.#statements.findPayment.get(reference) ?? { paymentMethod, charges: 0, submittedAt };
      this.#statements.savePayment.run(reference, known.paymentMethod, known.charges + 1, known.submittedAt);
      return { ...known, charges: known.charges + 1 };
    });
  }

  async findPayment(reference: string): Promise<LedgerPayment | undefined> {
    return this.#statements.findPayment.get(reference);
  }

  async addSpeech(reference: string): Promise<void> {
    await this.#write(() => this.#statements.addSpeech.run(reference));
  }

  async countSpeech(reference: string): Promise<number> {
    return this.#statements.countSpeech.get(reference)?.syntheses ?? 0;
  }

  clear(): Promise<void> {
    return this.#write(() => {
      this.#submissions = 0;
      this.#statements.clearNewest.run();
      this.#statements.clearPayments.run();
      this.#statements.clearSpeech.run();
      this.#statements.clearSubmissions.run();
      this.#statements.clearEvents.run();
    });
  }

  /** Commits what is queued, then closes the file. */
  async close(): Promise<void> {
    this.#commit();
    this.#database.close();
  }

  #count(arrival: Arrival): Counts {
    const { reference, submission, submittedAt, happenings } = arrival;
    // most are the first: only of others is anything looked up
    const before = this.#add(arrival) ? none : (this.#statements.find.get(reference) ?? none);
    const { attempts, sends } = countNext(before, arrival);
    if (before.attempts > 0) this.#statements.countAgain.run(attempts, sends, submission, submittedAt, reference);
    this.#submissions += 1;
    this.#statements.note.run(this.#submissions % NEWEST, this.#submissions, reference);
    if (sends > before.sends) this.#schedule({ reference, send: sends, submittedAt, happenings });
    return { attempts, sends };
  }

  /** Adds a message's first submission. Returns false, with nothing changed, if there was one before. */
  #add(arrival: Arrival): boolean {
    const { reference, answersFind, submission, submittedAt } = arrival;
    const { attempts, sends } = countNext(none, arrival);
    const found = answersFind ? 1 : 0;
    return this.#statements.add.run(reference, attempts, sends, found, submission, submittedAt).changes > 0;
  }

  #schedule(sent: Sent): void {
    for (const { reference, send, index, dueAt, report } of listEvents(sent)) {
      this.#statements.schedule.run(reference, send, index, dueAt, writeReport(report));
      // nobody is woken before this turn of the event loop has ended, and the transaction with it
      this.#surroundings.noteDue(dueAt);
    }
  }

  /** Runs `work` in one transaction with all work queued in this turn of the event loop; settles once committed. */
  #write<T>(work: () => T): Promise<T> {
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

const none: Counts = { attempts: 0, sends: 0 };

function countNext({ attempts, sends }: Counts, { takes }: Arrival): Counts {
  const isTaken = takes[Math.min(attempts, takes.length - 1)] === true;
  return { attempts: attempts + 1, sends: isTaken ? sends + 1 : sends };
}

/** Creates the tables, and upgrades those of a ledger made by an earlier release. */
function bringUpToDate(database: BetterSqlite3.Database): void {
  const hasColumn = (table: string, column: string) =>
    (database.pragma(`table_info(${table})`) as { name: string }[]).some(({ name }) => name === column);
  database
    .transaction(() => {
      database.exec(tables);
      if (!hasColumn("submissions", "submission")) database.exec(addSubmissions);
      if (hasColumn("events", "event_id")) database.exec(splitEventIds);
    })
    .immediate();
}

const eventTable = `
  CREATE TABLE IF NOT EXISTS events (
    reference TEXT NOT NULL,
    send INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (reference, send, "index")
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS events_due ON events (due_at);
`;

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
  ${eventTable}
`;

const addSubmissions = `
  ALTER TABLE submissions ADD COLUMN submission TEXT NOT NULL DEFAULT '';
  ALTER TABLE submissions ADD COLUMN submitted_at INTEGER NOT NULL DEFAULT 0;
`;

/** From when an event had its id for a key, and its body named all that the id does. */
const splitEventIds = `
  DROP INDEX events_due;
  ALTER TABLE events RENAME TO told_by_id;
  ${eventTable}
  INSERT INTO events (reference, send, "index", due_at, report)
  SELECT reference, CAST(place AS INTEGER), CAST(SUBSTR(place, INSTR(place, '.') + 1) AS INTEGER), due_at,
         JSON_REMOVE(body, '$.eventId', '$.clientReference', '$.providerMessageId')
    FROM (SELECT body, due_at, reference, SUBSTR(event_id, LENGTH('sim_' || reference || '_') + 1) AS place
            FROM (SELECT event_id, due_at, body, body ->> '$.clientReference' AS reference FROM told_by_id) AS named
         ) AS placed;
  DROP TABLE told_by_id;
`;

function prepareStatements(database: BetterSqlite3.Database) {
  return {
    find: database.prepare<[string], LedgerEntry>(
      `SELECT attempts, sends, answers_find AS answersFind, submission, submitted_at AS submittedAt
         FROM submissions WHERE reference = ?`,
    ),
    add: database.prepare<[string, number, number, number, string, number]>(
      `INSERT INTO submissions (reference, attempts, sends, answers_find, submission, submitted_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING`,
    ),
    countAgain: database.prepare<[number, number, string, number, string]>(
      "UPDATE submissions SET attempts = ?, sends = ?, submission = ?, submitted_at = ? WHERE reference = ?",
    ),
    countSubmissions: database.prepare<[], { count: number | null }>("SELECT MAX(submission) AS count FROM newest"),
    note: database.prepare<[number, number, string]>(
      "INSERT OR REPLACE INTO newest (slot, submission, reference) VALUES (?, ?, ?)",
    ),
    listNewest: database.prepare<[number], { reference: string }>(
      `SELECT n.reference FROM newest n JOIN submissions s ON s.reference = n.reference
        WHERE s.sends > 0 ORDER BY n.submission DESC LIMIT ?`,
    ),
    findPayment: database.prepare<[string], LedgerPayment>(
      `SELECT payment_method AS paymentMethod, charges, submitted_at AS submittedAt FROM payments WHERE reference = ?`,
    ),
    savePayment: database.prepare<[string, string | null, number, number]>(
      `INSERT INTO payments (reference, payment_method, charges, submitted_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (reference) DO UPDATE SET charges = excluded.charges`,
    ),
    schedule: database.prepare<[string, number, number, number, string]>(
      `INSERT INTO events (reference, send, "index", due_at, report) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (reference, send, "index") DO NOTHING`,
    ),
    listDue: database.prepare<[number, number], EventKey & { report: string }>(
      `SELECT reference, send, "index", report FROM events
        WHERE due_at <= ? ORDER BY due_at, reference, send, "index" LIMIT 0 + ?`,
    ),
    nextDue: database.prepare<[], { dueAt: number | null }>("SELECT MIN(due_at) AS dueAt FROM events"),
    acknowledge: database.prepare<[string, number, number]>(
      `DELETE FROM events WHERE reference = ? AND send = ? AND "index" = ?`,
    ),
    postpone: database.prepare<[number, string, number, number]>(
      `UPDATE events SET due_at = ? WHERE reference = ? AND send = ? AND "index" = ?`,
    ),
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
