// What is asked of the database: a text that both engines take, a text for each, or a batch statement.

import type { Randomness } from "../platform/randomness.ts";

/** What a statement takes and returns: text, whole numbers up to 2^53-1 (times are epoch milliseconds), or null. */
export type SqlValue = string | number | null;

export type Engine = "sqlite" | "postgres";

/** The same question in the words of each engine. */
export type EngineTexts = Readonly<Record<Engine, string>>;

/** Parameters are `$1`, `$2`, …; a text that reads what it is about to change ends in FOR UPDATE (OF …, SKIP LOCKED). */
export type Ask<Row = unknown> = string | EngineTexts | BatchCall<Row>;

/** Writes a text for each engine, of the parts in which they differ. */
export function perEngine<Parts>(parts: Readonly<Record<Engine, Parts>>, write: (parts: Parts) => string): EngineTexts {
  return { sqlite: write(parts.sqlite), postgres: write(parts.postgres) };
}

type ArrayType = "bigint" | "text";

/**
 * What PostgreSQL does with a batch:
 * - `holds` locks rows before anything else is asked, a row for one unit only.
 * - `locks` does so for rows that units change by amounts, whichever of them comes first.
 * - `reads` answers, and changes nothing.
 * - `looks` answers as well, from rows that are neither locked with `holds` nor written before.
 * - `writes` answers nothing, and is sent with the commit.
 */
export type BatchKind = "holds" | "locks" | "reads" | "looks" | "writes";

/**
 * The order in which a group locks and writes, so that no two transactions wait for each other: messages, where they wait, and what
 * nobody waits for; then quotas, which all sends of a merchant wait for until the transaction ends, and what follows them.
 */
const order = [
  ...["hold messages", "messages", "long_contents", "outbox", "dispatches", "idempotency_keys"],
  ...["lock quotas", "usage", "quotas", "daily_totals"],
] as const;

/** A batch as it is described; `sql` is told the table `w` of a row for each call, with the parameters as columns. */
interface BatchParts {
  readonly kind: BatchKind;
  /** Of a batch that locks or writes. */
  readonly order?: (typeof order)[number];
  readonly sql: (wanted: string) => string;
}

export interface Batch {
  readonly kind: BatchKind;
  /** Has an array for each parameter. Rows of one that answers have the number of their call, from 1, as `ordinal`. */
  readonly sql: string;
  readonly rank: number;
}

type Values<Name extends string> = Readonly<Record<Name, SqlValue>>;

/**
 * A statement that many units ask at the same time on PostgreSQL, as one: `one` asks for one of them, `batch` for all that share a
 * transaction. A batch that writes fails the transaction unless it does for each unit what `one` does: then each runs by itself.
 */
export interface BatchStatement<Name extends string = string, Row = unknown> {
  (values: Values<Name>): BatchCall<Row>;
  /** Takes what `more` has from there: V8 would copy the map of an object at each `{ ...values, … }`, a tenth of a send. */
  <More extends Partial<Values<Name>>>(values: Values<Exclude<Name, keyof More>>, more: More): BatchCall<Row>;
  readonly one: string | EngineTexts;
  readonly batch: Batch;
}

/** A batch statement with the values of one call. */
export interface BatchCall<Row = unknown> {
  readonly statement: Pick<BatchStatement, "one" | "batch">;
  /** In the order of the parameters. */
  readonly values: readonly SqlValue[];
  /** Never set: ties the type of the rows to the statement. */
  readonly row?: Row;
}

/** Says what rows a batch statement gives. */
export function rowOf<Row>(): Row | undefined {
  return undefined;
}

/**
 * Describes a batch statement. `params` names the parameters in the order of `$1`, `$2`, …; in the batch a parameter `messageId` is
 * the column `w.message_id`. Throws unless both texts have as many parameters.
 */
export function batchStatement<Name extends string, Row = never>(parts: {
  readonly params: Readonly<Record<Name, ArrayType>>;
  readonly row?: Row | undefined;
  readonly one: string | EngineTexts;
  readonly batch: BatchParts;
}): BatchStatement<Name, Row> {
  const { one, batch } = parts;
  const { kind } = batch;
  const names = Object.keys(parts.params) as Name[];
  const types: ArrayType[] = Object.values(parts.params);
  const columns = names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");
  const table =
    kind === "reads" || kind === "looks"
      ? `unnest(${arrays}) WITH ORDINALITY AS w (${columns.join(", ")}, ordinal)`
      : `unnest(${arrays}) AS w (${columns.join(", ")})`;
  const described = {
    one,
    batch: { kind, sql: batch.sql(table), rank: batch.order === undefined ? 0 : order.indexOf(batch.order) },
  };
  for (const text of [...(typeof one === "string" ? [one] : Object.values(one)), described.batch.sql]) {
    const count = countParameters(text);
    if (count !== names.length)
      throw new Error(`${names.length} parameters are named, ${count} are used: ${text.trim()}`);
  }
  const call = (values: Partial<Values<Name>>, more: Partial<Values<Name>> = {}) => ({
    statement: described,
    values: names.map((name) => (more[name] === undefined ? values[name] : more[name]) as SqlValue),
  });
  return Object.assign(call as Pick<BatchStatement<Name, Row>, never> as BatchStatement<Name, Row>, described);
}

function countParameters(text: string): number {
  return Math.max(...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
}

function isCall(ask: Ask): ask is BatchCall {
  return typeof ask === "object" && "statement" in ask;
}

/** The text that asks it alone. */
export function textOf(ask: Ask, engine: Engine): string {
  if (typeof ask === "string") return ask;
  return isCall(ask) ? textOf(ask.statement.one, engine) : ask[engine];
}

/** The values of a call, or those that were given with a text. */
export function valuesOf(ask: Ask, given: readonly SqlValue[]): readonly SqlValue[] {
  return typeof ask !== "string" && isCall(ask) ? ask.values : given;
}

/** The batch of a call; undefined if it is asked alone. */
export function batchOf(ask: Ask): Batch | undefined {
  return typeof ask !== "string" && isCall(ask) ? ask.statement.batch : undefined;
}

/**
 * SQL that has rows looked up one by one, by the first array: of a table whose rows come and go. `ANALYZE` may find a handful of
 * them beside many that are gone, and PostgreSQL would read all of these for each join.
 */
export const isAmong = (column: string) => `${column} = ANY($1::text[])`;

/** SQL that fails the transaction, by a division by zero, unless the condition holds. */
export const require = (condition: string) => `SELECT 1 / CASE WHEN ${condition} THEN 1 ELSE 0 END`;

// In what the engines differ, and the steps that make their tables.

/** The few keywords in which engines differ. */
export interface Dialect {
  /** Asked by what chooses among the engines' texts, tables and ports, and by nothing else. */
  readonly engine: Engine;
  /** Type of a text column, which compares by bytes. */
  readonly text: string;
  /** Type of a 64-bit column. */
  readonly int64: string;
  /** Type and constraint of a primary key that the engine counts up. */
  readonly identity: string;
  /** The same for one that is never reused after its row is deleted. */
  readonly singleIdentity: string;
  /** What follows the column list of a table. */
  readonly tableOptions: string;
  /** The same for a table whose rows are stored in its primary key's index. */
  readonly keyedTableOptions: string;
}

/**
 * One step of the database's tables. A released step is never edited: the next change is a step of its own. On PostgreSQL
 * other instances write while it is taken, so its statements hold no large table for long: a column has a constant
 * default, a constraint comes NOT VALID, and an index of a table that was there is one of `indexes`.
 */
export interface Migration {
  /** Counts up from 1 without a gap. */
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => string[];
  /** Indexes of tables that may be large. PostgreSQL builds them after the step, beside those who write. @default none */
  readonly indexes?: readonly Index[];
}

export interface Index {
  readonly name: string;
  /** Table and columns: what follows ON in the statement that creates it. */
  readonly on: string;
}

// Numeric ids that callers see. They come from the time, with random last digits, so that they neither reveal how much
// other tenants have nor repeat after a backup is restored; they still ascend.

/** Ids begin at the first moment of 2025. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** Ids per millisecond; more rows than this in one use the ids of the next. */
const IDS_A_MS = 4_096;
/** Until 2093: an id stays below 2^53, with room to count on if the clock is wrong. */
const LATEST_MS = EPOCH_MS + Math.floor(2 ** 53 / IDS_A_MS) - 366 * 24 * 3_600_000;

/** Draws an id for a row created at `now`, in epoch milliseconds; 1 outside the years that ids can express. */
export function drawId({ below }: Pick<Randomness, "below">, now: number): number {
  return now < EPOCH_MS || now > LATEST_MS ? 1 : (now - EPOCH_MS) * IDS_A_MS + 1 + below(IDS_A_MS);
}

/** What no id drawn at `epochMs` or later is below. */
export function lowestId(epochMs: number): number {
  return Math.max(0, epochMs - EPOCH_MS) * IDS_A_MS;
}

/**
 * SQL of a new row's id: the drawn id, given as `parameter`, or one soon after the table's highest. Not the next: all
 * that begin at once find the same highest.
 */
export function newIdSql(table: string, column: string, parameter: string): string {
  return `(SELECT CASE WHEN highest >= ${parameter} THEN highest + 1 + ${parameter} % ${IDS_A_MS} ELSE ${parameter} END
             FROM (SELECT MAX(${column}) AS highest FROM ${table}) AS newest)`;
}
