// Records of the simulated provider. Like a real provider's, they survive crashes and rollbacks of the server.
// Statements take many rows as one JSON object, a format that both engines can read.

import type { Clock } from "../../platform/clock.ts";
import { Batcher } from "../../store/batcher.ts";
import type { Dialect } from "../../store/statement.ts";
import type { SqlValue, Store, Transaction } from "../../store/store.ts";
import type { MessageEvent } from "../provider.ts";
import type { Happening } from "./behaviours.ts";

/** Once an event is this long overdue, another process may report it. */
const LEFT_MS = 5_000;
/** Largest difference between the clocks of two processes at which overdue events are still found. */
const SKEW_MS = 10_000;
/**
 * Validity of a submission, by the database's clock. The ledger rejects a later one: its sender was stalled, and a
 * look-up by another process may already have returned `absent`.
 */
const VALID_MS = 8_000;

/** Database of the ledger: a schema of this name on a server, or a file attached under this name. */
export const LEDGER_SCHEMA = "simulated_carrier";

export interface LedgerDatabase extends Pick<Store, "write" | "breakOff" | "close"> {
  /** SQL expression for the database's time, in epoch milliseconds. */
  readonly time: string;
  /** Name under which this process reports events. Unique per process if the database is shared. */
  readonly teller: string;
  readonly isShared: boolean;
}

/** Returns the DDL of the ledger's tables. */
export function ledgerTables({ text, int64, keyedTableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE simulated_carrier.submissions (
      reference ${text} PRIMARY KEY,
      attempts integer NOT NULL,
      sends integer NOT NULL,
      taken_from integer NOT NULL,
      submission ${text} NOT NULL,
      submitted_at ${int64} NOT NULL,
      UNIQUE (submitted_at, reference)
    ) ${keyedTableOptions}`,
    `CREATE TABLE simulated_carrier.payments (
      reference ${text} PRIMARY KEY,
      payment_method ${text},
      charges integer NOT NULL,
      submitted_at ${int64} NOT NULL
    ) ${keyedTableOptions}`,
    `CREATE TABLE simulated_carrier.speeches (
      reference ${text} PRIMARY KEY,
      syntheses integer NOT NULL
    ) ${keyedTableOptions}`,
    `CREATE TABLE simulated_carrier.events (
      event_id ${text} PRIMARY KEY,
      teller ${text} NOT NULL,
      due_at ${int64} NOT NULL,
      report ${text} NOT NULL,
      UNIQUE (due_at, event_id)
    ) ${keyedTableOptions}`,
  ];
}

/** A submission that reached the ledger. */
export interface Arrival {
  /** The submission's `clientReference`. */
  readonly reference: string;
  /** Number of the message's first accepted submission. */
  readonly takenFrom: number;
  /** JSON of the submission, without the message's text. */
  readonly submission: string;
  /** In epoch milliseconds. */
  readonly submittedAt: number;
  /** Events to report if the submission is accepted. */
  readonly happenings: readonly Happening[];
}

/** How often a message was submitted (`attempts`) and accepted (`sends`). An accepted message counts as sent. */
export interface Counts {
  readonly attempts: number;
  readonly sends: number;
}

/** Record of a message as of its last submission. */
export interface LedgerEntry extends Counts, Pick<Arrival, "submission" | "submittedAt"> {}

/** A payment as the simulated processor knows it. */
export interface LedgerPayment {
  readonly paymentMethod: string | null;
  /** Number of requests to charge it. More than one means a bug in the server. */
  readonly charges: number;
  readonly submittedAt: number;
}

/** Due events, earliest first, and the time at which this process must read again. */
export interface DueEvents {
  readonly due: readonly MessageEvent[];
  readonly nextDueAt: number | undefined;
}

type TimedArrival = Arrival & { readonly validUntil: number };

export class SimulatedLedger {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #statements: Statements;
  readonly #arrivals: Batcher<TimedArrival, () => Promise<Counts>>;
  /** The database's time minus this process's elapsed time, or slightly less: the answer took a moment to arrive. */
  #offsetMs = 0;
  /** No event is due before this time. A search that starts here skips deleted rows that are not vacuumed yet. */
  #floor = 0;
  #underWay = 0;

  constructor(database: LedgerDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#statements = nameStatements(database.time);
    let failure: unknown;
    this.#arrivals = new Batcher<TimedArrival, () => Promise<Counts>>({
      write: (work) => database.write(work),
      keyOf: ({ reference }) => reference,
      recordAll: async (tx, arrivals) => this.#count(tx, arrivals),
      onSplit: (error) => {
        failure = error;
      },
      // the submission may have been counted, so the caller must look it up
      recordOne: () => Promise.reject(failure),
    });
  }

  get isShared(): boolean {
    return this.#database.isShared;
  }

  /** Whether the ledger has work that ends without waiting for the clock. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  /** Counts a submission and, if it is accepted, stores its events. Returns the counts including it. */
  submit(arrival: Arrival): Promise<Counts> {
    const validUntil = this.#findValidity();
    return this.#follow(async () => (await this.#arrivals.record({ ...arrival, validUntil }))());
  }

  async find(reference: string): Promise<LedgerEntry | undefined> {
    const [entry] = await this.#ask<LedgerEntry>(this.#statements.find, reference);
    return entry;
  }

  /** Lists the references that were accepted last, newest first. */
  async listNewest(limit: number): Promise<string[]> {
    const rows = await this.#ask<{ reference: string }>(this.#statements.listNewest, limit);
    return rows.map(({ reference }) => reference);
  }

  /** Stores the events of a message's last send again. An event that is still stored is unchanged. */
  async report(arrival: Pick<Arrival, "reference" | "submittedAt" | "happenings">): Promise<void> {
    await this.#run(this.#statements.keep, writeEvents([arrival], this.#clock.now()), this.#database.teller);
  }

  /** Returns this process's due events, at most `limit`, and takes over overdue events of other processes. */
  async listDue(limit: number): Promise<DueEvents> {
    const now = this.#clock.now();
    // if the clock was set back, search from the beginning
    if (now < this.#floor) this.#floor = 0;
    const { teller } = this.#database;
    const { takeOver, list, time } = this.#statements;
    const [, rows, [answer]] = await this.#send((tx) =>
      Promise.all([
        tx.run(takeOver, teller, this.#floor, now - LEFT_MS),
        tx.all<{ eventId: string; dueAt: number; report: string }>(list, this.#floor, teller, limit),
        tx.all<{ databaseMs: number }>(time),
      ]),
    );
    if (answer !== undefined) this.#offsetMs = answer.databaseMs - this.#clock.elapsed();
    this.#floor = Math.min(rows[0]?.dueAt ?? now, now) - LEFT_MS - SKEW_MS;
    const due = rows.filter(({ dueAt }) => dueAt <= now);
    return { due: due.map(tellEvent), nextDueAt: rows[due.length]?.dueAt };
  }

  /** Deletes the events that were recorded, and postpones the remaining ones to `retellAt`. */
  async settle(recorded: readonly MessageEvent[], others: readonly MessageEvent[], retellAt: number): Promise<void> {
    const { forget, postpone } = this.#statements;
    if (recorded.length > 0) await this.#run(forget, writeIds(recorded));
    if (others.length > 0) await this.#run(postpone, writeIds(others), retellAt);
  }

  /** Counts a request to charge a payment. Returns the payment as first requested. */
  async charge(
    reference: string,
    { paymentMethod, submittedAt }: Pick<LedgerPayment, "paymentMethod" | "submittedAt">,
  ): Promise<LedgerPayment> {
    const values = [reference, paymentMethod, submittedAt, this.#findValidity()];
    const [payment] = await this.#ask<LedgerPayment>(this.#statements.charge, ...values);
    return refuseLate(payment);
  }

  async findPayment(reference: string): Promise<LedgerPayment | undefined> {
    const [payment] = await this.#ask<LedgerPayment>(this.#statements.findPayment, reference);
    return payment;
  }

  async addSpeech(reference: string): Promise<void> {
    const [made] = await this.#ask(this.#statements.addSpeech, reference, this.#findValidity());
    refuseLate(made);
  }

  /** Counts how often a speech was synthesized. */
  async countSpeech(reference: string): Promise<number> {
    const [speech] = await this.#ask<{ syntheses: number }>(this.#statements.findSpeech, reference);
    return speech?.syntheses ?? 0;
  }

  async clear(): Promise<void> {
    await this.#send((tx) => Promise.all(this.#statements.clear.map((sql) => tx.run(sql))));
    this.#floor = 0;
  }

  breakOff(): void {
    this.#database.breakOff?.();
  }

  /** Waits for the work in progress. */
  close(): Promise<void> {
    return this.#database.close();
  }

  #findValidity(): number {
    return Math.floor(this.#clock.elapsed() + this.#offsetMs) + VALID_MS;
  }

  /** Counts a batch of submissions and stores their events. Rows are in key order so that two batches cannot deadlock. */
  #count(tx: Transaction, arrivals: readonly TimedArrival[]): (() => Promise<Counts>)[] {
    const validUntil = Math.min(...arrivals.map((arrival) => arrival.validUntil));
    const written = Promise.all([
      tx.all<Counts & { reference: string }>(this.#statements.count, writeArrivals(arrivals), validUntil),
      tx.run(this.#statements.keep, writeEvents(arrivals, 0), this.#database.teller),
    ]);
    const counted = written.then(([rows]) => new Map(rows.map((row) => [row.reference, row])));
    counted.catch(() => {});
    return arrivals.map(
      ({ reference }) =>
        async () =>
          refuseLate((await counted).get(reference)),
    );
  }

  #ask<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#send((tx) => tx.all<Row>(sql, ...values));
  }

  #run(sql: string, ...values: SqlValue[]): Promise<number> {
    return this.#send((tx) => tx.run(sql, ...values));
  }

  /**
   * Runs statements without awaiting their answers inside the transaction, so that they are sent together with the
   * commit. Otherwise the process could stall in between and commit a submission that is no longer valid.
   */
  #send<T>(ask: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#follow(async () => {
      const { answer } = await this.#database.write(async (tx) => {
        const answer = ask(tx);
        answer.catch(() => {});
        return { answer };
      });
      return answer;
    });
  }

  async #follow<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }
}

function refuseLate<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Error("the request reached the simulated provider too late to be accepted");
  return answer;
}

/** Returns the provider's id for a send of a message. */
export function nameSend(reference: string, send: number): string {
  return `sim_${reference}_${send}`;
}

function writeArrivals(arrivals: readonly Arrival[]): string {
  const given = arrivals.map(({ reference, takenFrom, submission, submittedAt }): [string, unknown] => [
    reference,
    [takenFrom === 1 ? 1 : 0, takenFrom, submission, submittedAt],
  ]);
  return writeObject(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Writes the events of messages as JSON. No event becomes due before `earliest`. */
function writeEvents(
  arrivals: readonly Pick<Arrival, "reference" | "submittedAt" | "happenings">[],
  earliest: number,
): string {
  const events = arrivals.flatMap(({ reference, submittedAt, happenings }) =>
    happenings.map(({ afterMs, ...report }, index): [string, unknown] => [
      `${reference} ${index}`,
      [reference, index, Math.max(submittedAt + afterMs, earliest), report],
    ]),
  );
  return writeObject(events);
}

function writeIds(events: readonly MessageEvent[]): string {
  return writeObject(events.map(({ eventId }) => [eventId, 0]));
}

/** Writes the JSON directly: creating an object with so many keys takes three times as long. */
function writeObject(members: readonly (readonly [string, unknown])[]): string {
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
}

/** Builds the event in the form in which the provider reports it. */
function tellEvent({ eventId, report }: { readonly eventId: string; readonly report: string }): MessageEvent {
  const providerMessageId = eventId.slice(0, eventId.lastIndexOf("."));
  const clientReference = providerMessageId.slice("sim_".length, providerMessageId.lastIndexOf("_"));
  return { eventId, clientReference, providerMessageId, ...JSON.parse(report) };
}

type Statements = ReturnType<typeof nameStatements>;

function nameStatements(time: string) {
  return {
    time: `SELECT ${time} AS "databaseMs"`,
    count: `
      INSERT INTO simulated_carrier.submissions AS known
             (reference, attempts, sends, taken_from, submission, submitted_at)
      SELECT key, 1, CAST(value ->> 0 AS INTEGER), CAST(value ->> 1 AS INTEGER), value ->> 2, CAST(value ->> 3 AS BIGINT)
        FROM json_each($1) WHERE CAST($2 AS BIGINT) > ${time}
      ON CONFLICT (reference) DO UPDATE SET
             attempts = known.attempts + 1,
             sends = known.sends + CASE WHEN known.attempts + 1 >= excluded.taken_from THEN 1 ELSE 0 END,
             taken_from = excluded.taken_from,
             submission = excluded.submission,
             submitted_at = excluded.submitted_at
      RETURNING reference, attempts, sends`,
    keep: `
      INSERT INTO simulated_carrier.events (event_id, teller, due_at, report)
      SELECT 'sim_' || s.reference || '_' || s.sends || '.' || (e.value ->> 1), $2, CAST(e.value ->> 2 AS BIGINT),
             e.value ->> 3
        FROM json_each($1) AS e JOIN simulated_carrier.submissions AS s ON s.reference = e.value ->> 0
       WHERE s.attempts >= s.taken_from
      ON CONFLICT (event_id) DO NOTHING`,
    find: `
      SELECT attempts, sends, submission, submitted_at AS "submittedAt"
        FROM simulated_carrier.submissions WHERE reference = $1`,
    listNewest: `
      SELECT reference FROM simulated_carrier.submissions WHERE sends > 0
       ORDER BY submitted_at DESC, reference DESC LIMIT $1`,
    takeOver: `
      UPDATE simulated_carrier.events SET teller = $1 WHERE due_at >= $2 AND due_at <= $3 AND teller <> $1`,
    list: `
      SELECT event_id AS "eventId", due_at AS "dueAt", report FROM simulated_carrier.events
       WHERE due_at >= $1 AND teller = $2 ORDER BY due_at, event_id LIMIT $3`,
    forget: "DELETE FROM simulated_carrier.events WHERE event_id IN (SELECT key FROM json_each($1))",
    postpone: "UPDATE simulated_carrier.events SET due_at = $2 WHERE event_id IN (SELECT key FROM json_each($1))",
    charge: `
      INSERT INTO simulated_carrier.payments AS known (reference, payment_method, charges, submitted_at)
      SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), 1, CAST($3 AS BIGINT) WHERE CAST($4 AS BIGINT) > ${time}
      ON CONFLICT (reference) DO UPDATE SET charges = known.charges + 1
      RETURNING payment_method AS "paymentMethod", charges, submitted_at AS "submittedAt"`,
    findPayment: `
      SELECT payment_method AS "paymentMethod", charges, submitted_at AS "submittedAt"
        FROM simulated_carrier.payments WHERE reference = $1`,
    addSpeech: `
      INSERT INTO simulated_carrier.speeches AS known (reference, syntheses)
      SELECT CAST($1 AS TEXT), 1 WHERE CAST($2 AS BIGINT) > ${time}
      ON CONFLICT (reference) DO UPDATE SET syntheses = known.syntheses + 1 RETURNING syntheses`,
    findSpeech: "SELECT syntheses FROM simulated_carrier.speeches WHERE reference = $1",
    clear: ["submissions", "events", "payments", "speeches"].map((table) => `DELETE FROM simulated_carrier.${table}`),
  };
}
