// Runs several units of work at once in one transaction. Each sees a transaction of its own; once all of them wait for an
// answer, what they asked is sent together, the same question of many as one statement (set-form.ts). What has a form
// that writes is answered at once, as if it had succeeded, and sent at the end, together with the commit: two trips to
// the server for a group of sends. Nothing of a unit that fails before that is sent.

import { nextTick } from "../../platform/clock.ts";
import type { Answer, Value } from "../../platform/postgres/exchange.ts";
import { waitBrieflyStatement } from "../../platform/postgres/limits.ts";
import type { SessionPort } from "../../platform/postgres/sessions.ts";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";
import type { Occurrence } from "../occurrences.ts";
import { CommitInDoubt, RunAgain, type SqlValue, type Transaction, type Work } from "../store.ts";
import { postgresDialect } from "./connection.ts";
import { explainFailure } from "./failures.ts";
import type { SetForm } from "./set-form.ts";
import { findSetForm } from "./set-forms.ts";

/** A unit's result, or why it failed: its own error, and nothing of it is written. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** The transaction cannot be committed as a whole: nothing is written, and each unit is to be run by itself. */
export class SpoiledGroup extends Error {
  override readonly name = "SpoiledGroup";
}

interface Question {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly unit: UnitTransaction;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Runs each unit to its end and commits. Throws `SpoiledGroup`, or what the commit threw. */
export class SharedTransaction {
  readonly randomness: Randomness;
  readonly #session: SessionPort;
  readonly #commit: () => Promise<void>;
  readonly #units: UnitTransaction[] = [];
  /** What a unit holds: on one connection no lock keeps the others out. */
  readonly #held = new Map<string, UnitTransaction>();
  #questions: Question[] = [];
  #live = 0;
  #isOfOne = false;
  #isLooking = false;
  #isInFlight = false;
  #hasBegun = false;
  #failure: unknown;
  #onEnd: () => void = () => {};

  /** `commit` commits what the session's transaction holds, and throws unless it did. */
  constructor(session: SessionPort, commit: () => Promise<void>, randomness = systemRandomness) {
    this.randomness = randomness;
    this.#session = session;
    this.#commit = commit;
  }

  /** Whether it is one unit's own. */
  get isOfOne(): boolean {
    return this.#isOfOne;
  }

  /** What the units noted that succeeded. */
  get occurrences(): Occurrence[] {
    return this.#units.flatMap(({ occurrences }) => occurrences);
  }

  async run(works: readonly Work<unknown>[]): Promise<Outcome[]> {
    this.#live = works.length;
    this.#isOfOne = works.length === 1;
    const ended = new Promise<void>((resolve) => {
      this.#onEnd = resolve;
    });
    const outcomes: Outcome[] = [];
    for (const [index, work] of works.entries()) {
      const unit = new UnitTransaction(this);
      this.#units.push(unit);
      work(unit).then(
        (value) => this.#end(index, outcomes, { value }),
        (error) => this.#end(index, outcomes, { error }),
      );
    }
    await ended;
    if (this.#failure !== undefined) throw new SpoiledGroup("a group failed", { cause: this.#failure });
    await this.#write();
    return outcomes;
  }

  /** Returns false if another unit holds the same. */
  hold(unit: UnitTransaction, sql: string, values: readonly SqlValue[]): boolean {
    const key = `${sql} ${values.join(" ")}`;
    const holder = this.#held.get(key) ?? unit;
    this.#held.set(key, holder);
    return holder === unit;
  }

  ask(unit: UnitTransaction, sql: string, values: readonly SqlValue[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#questions.push({ sql, values, unit, resolve, reject });
      this.#lookAround();
    });
  }

  #end(index: number, outcomes: Outcome[], outcome: Outcome): void {
    outcomes[index] = outcome;
    const unit = this.#units[index];
    if ("error" in outcome && unit !== undefined) {
      unit.occurrences.length = 0;
      unit.writes.length = 0;
      // something of it was sent: it cannot be taken back alone
      if (unit.hasSent) this.#failure ??= outcome.error;
    }
    this.#live -= 1;
    if (this.#live === 0) this.#onEnd();
    else this.#lookAround();
  }

  /** Sends what was asked once no unit can go on without an answer: they await nothing else. */
  #lookAround(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // a tick that begins in a microtask runs when no other microtask is left
    queueMicrotask(() =>
      nextTick(() => {
        this.#isLooking = false;
        if (!this.#isInFlight && this.#questions.length > 0) this.#send();
      }),
    );
  }

  async #send(): Promise<void> {
    this.#isInFlight = true;
    const questions = this.#questions;
    this.#questions = [];
    // what a unit has written comes before what it asks, and what it holds before both
    const dependent = questions.filter(isDependent);
    if (dependent.length > 0) this.#sendHolds();
    if (dependent.some(({ unit }) => unit.writes.length > 0)) this.#sendWrites();
    const answers = [...groupByText(questions)].map(([sql, asked]) => {
      const form = findSetForm(sql);
      return form === undefined ? this.#askEach(asked) : this.#askTogether(form, asked);
    });
    await Promise.all(answers);
    this.#isInFlight = false;
    this.#lookAround();
  }

  /** Statements without a form, each by itself. */
  async #askEach(asked: readonly Question[]): Promise<void> {
    const settle = async ({ sql, values, unit, resolve, reject }: Question) => {
      if (!ONLY_READS.test(sql)) {
        this.#begin();
        unit.hasSent = true;
      }
      try {
        resolve(await this.#query(sql, values));
      } catch (error) {
        reject(explainFailure(error));
      }
    };
    await Promise.all(asked.map(settle));
  }

  async #askTogether(form: SetForm, asked: readonly Question[]): Promise<void> {
    try {
      const result = await this.#query(form.sql, toArrays(form, asked));
      const rows: unknown[][] = asked.map(() => []);
      for (const row of result.rows as { place: number }[]) rows[row.place - 1]?.push(row);
      for (const [index, { resolve }] of asked.entries()) {
        const own = rows[index] ?? [];
        resolve({ ...result, rows: own, rowCount: own.length });
      }
    } catch (error) {
      for (const { reject } of asked) reject(explainFailure(error));
    }
  }

  /** Commits what the units wrote, in one trip to the server: a write that fails has the commit passed over. */
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
    const writes = this.#units.flatMap(({ writes }) => writes);
    if (writes.length === 0) return;
    for (const unit of this.#units) {
      if (unit.writes.length > 0) unit.hasSent = true;
      unit.writes.length = 0;
    }
    this.#sendHolds(writes);
  }

  /** Sends what units hold, and `writes` behind; in the order of the forms of both, where all of them have one. */
  #sendHolds(writes: readonly Write[] = []): void {
    const holds = this.#units.flatMap(({ holds }) => holds.splice(0));
    if (holds.length + writes.length === 0) return;
    this.#begin();
    const formless = holds.filter((hold) => !hasForm(hold));
    const formed = holds.filter(hasForm);
    this.#sendForms(formless.length === 0 ? [...formed, ...writes] : formed);
    if (formless.length === 0) return;
    for (const { sql, values } of formless) this.#sendAlong(sql, values);
    this.#sendForms(writes);
  }

  #sendForms(writes: readonly Write[]): void {
    const groups = [...groupByText(writes).values()] as [Write, ...Write[]][];
    groups.sort(([{ form: one }], [{ form: other }]) => one.rank - other.rank);
    for (const same of groups) {
      const [{ form }] = same;
      this.#sendAlong(form.sql, toArrays(form, same));
    }
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#session.begin("BEGIN", waitBrieflyStatement).catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  /** Sends what nobody awaits: if it fails, it fails the transaction. */
  #sendAlong(text: string, values: readonly Value[]): void {
    this.#query(text, values).catch(() => {});
  }

  async #query(text: string, values: readonly Value[]): Promise<Answer> {
    try {
      return await this.#session.ask(text, values);
    } catch (error) {
      // it takes what was sent with it along
      this.#failure ??= error;
      throw error;
    }
  }
}

/** Whether the answer may depend on what the unit holds or has written. */
function isDependent({ sql, unit: { holds, writes } }: Question): boolean {
  if (findSetForm(sql)?.kind === "looks") return holds.some(({ form }) => form?.kind !== "holds");
  return holds.length + writes.length > 0;
}

/** What takes effect only as part of the transaction does not begin so, or locks. */
const ONLY_READS = /^\s*SELECT\b(?![\s\S]*\bFOR (?:NO KEY )?UPDATE\b)/;

/** What one unit holds, by a statement that may have a form for many. */
interface Hold {
  readonly sql: string;
  readonly form: SetForm | undefined;
  readonly values: readonly SqlValue[];
}

/** What one unit writes or holds by a statement with a form for many. */
interface Write extends Hold {
  readonly form: SetForm;
}

function hasForm(hold: Hold): hold is Write {
  return hold.form !== undefined;
}

class UnitTransaction implements Transaction {
  readonly dialect = postgresDialect;
  readonly isShared = true;
  readonly randomness: Randomness;
  readonly occurrences: Occurrence[] = [];
  readonly writes: Write[] = [];
  readonly holds: Hold[] = [];
  /** Whether anything of it was sent that may have written. */
  hasSent = false;
  readonly #shared: SharedTransaction;
  /** Why it has to be run by itself. */
  #fault: RunAgain | undefined;

  constructor(shared: SharedTransaction) {
    this.#shared = shared;
    this.randomness = shared.randomness;
  }

  async get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return (await this.#ask(sql, values)).rows[0] as Row | undefined;
  }

  async all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return (await this.#ask(sql, values)).rows as Row[];
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    const form = findSetForm(sql);
    if (form?.kind !== "writes") return (await this.#ask(sql, values)).rowCount;
    if (this.#fault !== undefined) throw this.#fault;
    this.writes.push({ sql, form, values });
    return 1;
  }

  hold(sql: string, ...values: SqlValue[]): void {
    const form = findSetForm(sql);
    if (form?.kind === "locks" || this.#shared.hold(this, sql, values)) this.holds.push({ sql, form, values });
    else this.#fault ??= new RunAgain("another unit of the group holds the same row");
  }

  async tryHold(sql: string, ...values: SqlValue[]): Promise<boolean> {
    if (!this.#shared.isOfOne) throw new Error("a unit that shares its transaction cannot go round what others hold");
    return (await this.#ask(sql, values)).rows.length > 0;
  }

  /** Two units with one key fail the transaction when it is written, and are run by themselves. */
  async claim(): Promise<boolean> {
    return true;
  }

  async #ask(sql: string, values: readonly SqlValue[]): Promise<Answer> {
    if (this.#fault !== undefined) throw this.#fault;
    return this.#shared.ask(this, sql, values);
  }

  note(occurrence: Occurrence): void {
    this.occurrences.push(occurrence);
  }
}

function groupByText<Item extends { readonly sql: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.sql);
    if (group === undefined) groups.set(item.sql, [item]);
    else group.push(item);
  }
  return groups;
}

/** Throws unless each has a value for every parameter of the form, and no more: one that the form does not know would be lost. */
export function toArrays({ types, sql }: SetForm, items: readonly { readonly values: readonly SqlValue[] }[]): Value[] {
  for (const { values } of items) {
    if (values.length === types.length) continue;
    throw new Error(`${values.length} values were given to a form of ${types.length} parameters: ${sql.trim()}`);
  }
  return types.map((_type, column) => items.map(({ values }) => values[column] as SqlValue));
}
