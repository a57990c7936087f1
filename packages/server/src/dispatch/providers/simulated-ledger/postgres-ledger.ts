// The ledger that several instances share, in a schema of its own. Each instance tells the events of what it was given;
// those of one that is gone are claimed by another.

import type { MessageEvent } from "../provider.ts";
import { ArrivalGroups } from "./arrival-groups.ts";
import { type EventKey, listEvents, readEventKey, type SendEvent, tellEvent, writeReport } from "./events.ts";
import { type HeldEvent, HeldEvents } from "./held-events.ts";
import type { Arrival, Counts, Ledger, LedgerEntry, LedgerPayment, LedgerSurroundings, Sent, Told } from "./ledger.ts";
import { ServerClock } from "./server-clock.ts";
import { openStatements, type Statements } from "./statements.ts";

/** How long an event that is due, or was claimed, is left to whoever has it. */
const CLAIM_MS = 5_000;
/** How often the events of others are looked for: in real time, in which they live whatever the clock here reads. */
const LOOK_MS = 500;
/**
 * How long a submission is valid, by the database's clock: one that comes later is not taken. Its sender stood still or
 * was cut off, and whoever took over may have heard that it never came.
 */
const VALID_MS = 8_000;
/** By how much the clocks of instances may differ for the events of one that is gone to be found. */
const SKEW_MS = 10_000;
const GROUP = 500;

interface TimedArrival extends Arrival {
  readonly validUntil: number;
  readonly events: readonly HeldEvent[];
}

interface Counted extends Counts {
  readonly isTaken: 0 | 1;
}

const repeatable = { repeatable: true };
const serverMs = "(extract(epoch FROM clock_timestamp()) * 1000)::float8";

/** Opens the ledger in the database at `url`. */
export async function openPostgresLedger(url: string, surroundings: LedgerSurroundings): Promise<Ledger> {
  const ledger = new PostgresLedger(await openStatements(url), surroundings);
  try {
    await ledger.look();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  ledger.keepLooking();
  return ledger;
}

class PostgresLedger implements Ledger {
  readonly #statements: Statements;
  readonly #now: () => number;
  readonly #noteDue: (dueAt: number) => void;
  readonly #serverClock = new ServerClock();
  readonly #groups = new ArrivalGroups((group: readonly TimedArrival[]) => this.#count(group), GROUP);
  readonly #held = new HeldEvents();
  #nextLook: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** When the first event that is not held here can be claimed, so far as is known. */
  #claimableAt: number | undefined;
  /**
   * No event is claimable earlier: each is written with a later time than it is, so what was not there before will not be.
   * A search from here on passes over few rows that are gone but not vacuumed, of which a long snapshot leaves millions.
   */
  #floor = 0;
  #submissions = 0;

  constructor(statements: Statements, { now, noteDue }: LedgerSurroundings) {
    this.#statements = statements;
    this.#now = now;
    this.#noteDue = noteDue;
  }

  get isBusy(): boolean {
    return this.#submissions > 0 || this.#statements.underWay > 0;
  }

  async submit(arrival: Arrival): Promise<Counts> {
    const events = planTelling(arrival, arrival.submittedAt);
    this.#submissions += 1;
    try {
      const counted = await this.#groups.add({ ...arrival, events, validUntil: this.#serverClock.now() + VALID_MS });
      const { attempts, sends, isTaken } = refuseLate(counted);
      if (isTaken) this.#keep(events.map((event) => ({ ...event, send: sends })));
      return { attempts, sends };
    } finally {
      this.#submissions -= 1;
    }
  }

  async find(reference: string): Promise<LedgerEntry | undefined> {
    const [entry] = await this.#statements.run<LedgerEntry>(
      `SELECT attempts, sends, answers_find AS "answersFind", submission, submitted_at AS "submittedAt"
         FROM simulated_carrier.submissions WHERE reference = $1`,
      [reference],
      repeatable,
    );
    return entry;
  }

  async listNewest(limit: number): Promise<string[]> {
    const rows = await this.#statements.run<{ reference: string }>(
      `SELECT reference FROM simulated_carrier.submissions WHERE sends > 0 ORDER BY position DESC LIMIT $1::integer`,
      [limit],
      repeatable,
    );
    return rows.map(({ reference }) => reference);
  }

  async report(sent: Sent): Promise<void> {
    const events = planTelling(sent, this.#now());
    const inserted = await this.#statements.run<{ index: number }>(
      `INSERT INTO simulated_carrier.events (reference, send, index, claimed_until, report)
       SELECT $1, $2::integer, * FROM unnest($3::integer[], $4::bigint[], $5::text[])
       ON CONFLICT (reference, send, index) DO NOTHING RETURNING index`,
      [
        sent.reference,
        sent.send,
        events.map(({ index }) => index),
        events.map(({ claimedUntil }) => claimedUntil),
        events.map(({ report }) => writeReport(report)),
      ],
      repeatable,
    );
    const indexes = new Set(inserted.map(({ index }) => index));
    this.#keep(events.filter(({ index }) => indexes.has(index)));
    // whoever has the others may be gone
    if (indexes.size < events.length) await this.look();
  }

  findNextDue(): number | undefined {
    return earlierOf(this.#held.nextDueAt, this.#claimableAt);
  }

  async claimDue(limit: number): Promise<MessageEvent[]> {
    const now = this.#now();
    const due = this.#held.take(now, limit);
    const held = due.filter(({ claimedUntil }) => claimedUntil > now);
    // this process stood still, and others may have told them
    if (held.length < due.length) this.#noteClaimable(now);
    if (held.length > 0) return held.map(tellEvent);
    if (this.#claimableAt === undefined || this.#claimableAt > now) return [];
    const claimed = await this.#claim(now, limit);
    if (claimed.length === 0) await this.look();
    return claimed.map(tellEvent);
  }

  async settle(told: readonly Told[], retellAt: number): Promise<void> {
    const recorded = told.filter(({ isRecorded }) => isRecorded).map(({ event }) => readEventKey(event));
    const unrecorded = told.filter(({ isRecorded }) => !isRecorded).map(({ event }) => readEventKey(event));
    if (recorded.length > 0) {
      // the loss of this in a crash has an event told again: it need not wait for the disk
      await this.#statements.run(
        `WITH unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
         DELETE FROM simulated_carrier.events e
          USING unhurried, unnest($1::text[], $2::integer[], $3::integer[]) AS told (reference, send, index)
          WHERE (e.reference, e.send, e.index) = (told.reference, told.send, told.index) AND e.reference = ANY($1)`,
        columnsOf(recorded),
        repeatable,
      );
    }
    if (unrecorded.length === 0) return;
    await this.#statements.run(
      `UPDATE simulated_carrier.events e SET claimed_until = $4::bigint
         FROM unnest($1::text[], $2::integer[], $3::integer[]) AS told (reference, send, index)
        WHERE (e.reference, e.send, e.index) = (told.reference, told.send, told.index) AND e.reference = ANY($1)`,
      [...columnsOf(unrecorded), retellAt],
      repeatable,
    );
    this.#noteClaimable(retellAt);
  }

  async charge(
    reference: string,
    { paymentMethod, submittedAt }: Pick<LedgerPayment, "paymentMethod" | "submittedAt">,
  ): Promise<LedgerPayment> {
    const [payment] = await this.#statements.run<LedgerPayment>(
      `INSERT INTO simulated_carrier.payments AS known (reference, payment_method, charges, submitted_at)
       SELECT $1::text, $2::text, 1, $3::bigint WHERE $4::float8 > ${serverMs}
       ON CONFLICT (reference) DO UPDATE SET charges = known.charges + 1
       RETURNING payment_method AS "paymentMethod", charges, submitted_at AS "submittedAt"`,
      [reference, paymentMethod, submittedAt, this.#serverClock.now() + VALID_MS],
    );
    return refuseLate(payment);
  }

  async findPayment(reference: string): Promise<LedgerPayment | undefined> {
    const [payment] = await this.#statements.run<LedgerPayment>(
      `SELECT payment_method AS "paymentMethod", charges, submitted_at AS "submittedAt"
         FROM simulated_carrier.payments WHERE reference = $1`,
      [reference],
      repeatable,
    );
    return payment;
  }

  async addSpeech(reference: string): Promise<void> {
    const [made] = await this.#statements.run(
      `INSERT INTO simulated_carrier.speeches AS known (reference, syntheses)
       SELECT $1::text, 1 WHERE $2::float8 > ${serverMs}
       ON CONFLICT (reference) DO UPDATE SET syntheses = known.syntheses + 1 RETURNING syntheses`,
      [reference, this.#serverClock.now() + VALID_MS],
    );
    refuseLate(made);
  }

  async countSpeech(reference: string): Promise<number> {
    const [speech] = await this.#statements.run<{ syntheses: number }>(
      "SELECT syntheses FROM simulated_carrier.speeches WHERE reference = $1",
      [reference],
      repeatable,
    );
    return speech?.syntheses ?? 0;
  }

  async clear(): Promise<void> {
    this.#held.clear();
    this.#claimableAt = undefined;
    this.#floor = 0;
    for (const table of ["submissions", "events", "payments", "speeches"]) {
      await this.#statements.run(`DELETE FROM simulated_carrier.${table}`, [], repeatable);
    }
  }

  breakOff(): void {
    this.#statements.breakOff();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#nextLook);
    await this.#statements.close();
  }

  /** Looks from now on, one look after the other; cut off from the database, it goes on. */
  keepLooking(): void {
    if (this.#isClosed) return;
    const lookAgain = () =>
      this.look().then(
        () => this.keepLooking(),
        () => this.keepLooking(),
      );
    this.#nextLook = setTimeout(lookAgain, LOOK_MS).unref();
  }

  /** Looks when the first event of all can be claimed. */
  async look(): Promise<void> {
    const askedAt = performance.now();
    const now = this.#now();
    const known = this.#claimableAt;
    // what is noted meanwhile may be newer than the answer
    this.#claimableAt = undefined;
    try {
      const [row] = await this.#statements.run<{ claimableAt: number | null; serverMs: number }>(
        `SELECT min(claimed_until) AS "claimableAt", ${serverMs} AS "serverMs"
           FROM simulated_carrier.events WHERE claimed_until >= $1::bigint`,
        [this.#floor],
        repeatable,
      );
      if (row === undefined) return;
      this.#serverClock.note(row.serverMs, askedAt);
      this.#floor = Math.min(row.claimableAt ?? now, now) - SKEW_MS;
      if (row.claimableAt !== null) this.#noteClaimable(row.claimableAt);
    } catch (error) {
      if (known !== undefined) this.#noteClaimable(known);
      throw error;
    }
  }

  /** One row for each arrival in turn; undefined for one that came too late. */
  async #count(group: readonly TimedArrival[]): Promise<(Counted | undefined)[]> {
    const askedAt = performance.now();
    const events = group.flatMap((arrival) => arrival.events);
    const rows = await this.#statements.run<Counted & { attempts: number | null; serverMs: number }>(count, [
      group.map(({ reference }) => reference),
      group.map(({ takes }) => takes.map(Number).join("")),
      group.map(({ answersFind }) => (answersFind ? 1 : 0)),
      group.map(({ submission }) => submission),
      group.map(({ submittedAt }) => submittedAt),
      group.map(({ validUntil }) => validUntil),
      events.map(({ reference }) => reference),
      events.map(({ index }) => index),
      events.map(({ claimedUntil }) => claimedUntil),
      events.map(({ report }) => writeReport(report)),
    ]);
    const [first] = rows;
    if (first !== undefined) this.#serverClock.note(first.serverMs, askedAt);
    return rows.map((row) => (row.attempts === null ? undefined : row));
  }

  async #claim(now: number, limit: number): Promise<SendEvent[]> {
    const rows = await this.#statements.run<EventKey & { report: string; dueAt: number }>(
      `UPDATE simulated_carrier.events e SET claimed_until = $2::bigint
         FROM (SELECT reference, send, index, claimed_until FROM simulated_carrier.events
                WHERE claimed_until BETWEEN $4::bigint AND $1::bigint
                ORDER BY claimed_until LIMIT $3::integer FOR UPDATE SKIP LOCKED) due
        WHERE (e.reference, e.send, e.index) = (due.reference, due.send, due.index)
       RETURNING e.reference, e.send, e.index, e.report, due.claimed_until AS "dueAt"`,
      [now, now + CLAIM_MS, limit, this.#floor],
    );
    return rows
      .sort((one, other) => one.dueAt - other.dueAt || one.index - other.index)
      .map(({ report, ...row }) => ({ ...row, report: JSON.parse(report) }));
  }

  /** Holds the events that are due soon; the others are claimed when they are. */
  #keep(events: readonly HeldEvent[]): void {
    for (const event of events) {
      if (event.claimedUntil <= event.dueAt) this.#noteClaimable(event.dueAt);
      else {
        this.#held.add(event);
        this.#noteDue(event.dueAt);
      }
    }
  }

  #noteClaimable(at: number): void {
    this.#claimableAt = earlierOf(this.#claimableAt, at);
    this.#noteDue(at);
  }
}

/** Lists a send's events, those that are due soon claimed from the beginning. */
function planTelling(sent: Omit<Sent, "send"> & Partial<Sent>, now: number): HeldEvent[] {
  return listEvents({ send: 1, ...sent }).map((event) => ({
    ...event,
    claimedUntil: event.dueAt - now > CLAIM_MS ? event.dueAt : Math.max(event.dueAt, now) + CLAIM_MS,
  }));
}

function refuseLate<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Error("it came to the simulated provider too late to be taken");
  return answer;
}

function earlierOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

function columnsOf(keys: readonly EventKey[]): [string[], number[], number[]] {
  return [keys.map(({ reference }) => reference), keys.map(({ send }) => send), keys.map(({ index }) => index)];
}

/** Counts a group of submissions and keeps their events at once. In the order of the key, so that no two groups deadlock. */
const count = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::smallint[], $4::text[], $5::bigint[], $6::float8[])
      WITH ORDINALITY AS g (reference, takes, answers_find, submission, submitted_at, valid_until, place)
  ), counted AS (
    INSERT INTO simulated_carrier.submissions AS known
      (reference, attempts, sends, takes, answers_find, submission, submitted_at)
    SELECT reference, 1, left(takes, 1)::integer, takes, answers_find, submission, submitted_at
      FROM given WHERE valid_until > ${serverMs} ORDER BY reference COLLATE "C"
    ON CONFLICT (reference) DO UPDATE SET
      attempts = known.attempts + 1,
      sends = known.sends + substr(excluded.takes, least(known.attempts + 1, length(excluded.takes)), 1)::integer,
      takes = excluded.takes,
      position = excluded.position,
      submission = excluded.submission,
      submitted_at = excluded.submitted_at
    RETURNING reference, attempts, sends, substr(takes, least(attempts, length(takes)), 1) = '1' AS is_taken
  ), reported AS (
    INSERT INTO simulated_carrier.events (reference, send, index, claimed_until, report)
    SELECT counted.reference, counted.sends, e.index, e.claimed_until, e.report
      FROM unnest($7::text[], $8::integer[], $9::bigint[], $10::text[]) AS e (reference, index, claimed_until, report)
      JOIN counted ON counted.reference = e.reference
     WHERE counted.is_taken
    ON CONFLICT (reference, send, index) DO NOTHING
  )
  SELECT counted.attempts, counted.sends, counted.is_taken AS "isTaken", ${serverMs} AS "serverMs"
    FROM given LEFT JOIN counted ON counted.reference = given.reference ORDER BY given.place
`;
