// Statements: a text that both engines take, a text for each, or a batch statement. Also the dialects, migrations and ids that texts
// are made with.

import type { Randomness } from "../platform/randomness.ts";

/** Parameters and columns of a statement: text, whole numbers up to 2^53-1 (times are epoch milliseconds), or null. */
export type SqlValue = string | number | null;

export type Engine = "sqlite" | "postgres";

/** A text for each engine. */
export type EngineTexts = Readonly<Record<Engine, string>>;

/** Parameters are `$1`, `$2`, …; a text that reads rows to change them ends in FOR UPDATE (OF …, SKIP LOCKED). */
export type Ask<Row = unknown> = string | EngineTexts | BatchCall<Row>;

/** Writes a text for each engine from the fragments in which they differ. */
export function perEngine<Fragments>(
  of: Readonly<Record<Engine, Fragments>>,
  write: (of: Fragments) => string,
): EngineTexts {
  return { sqlite: write(of.sqlite), postgres: write(of.postgres) };
}

type ArrayType = "bigint" | "text";

/**
 * What PostgreSQL does with a batch:
 * - `locks` locks rows before anything else is asked, each row for one write only.
 * - `shared-locks` does so for rows that many writes change by amounts, in any order.
 * - `reads` returns rows.
 * - `looks` returns rows that are neither locked with `locks` nor written before, and is sent first.
 * - `writes` returns nothing, and is sent with the commit.
 */
export type BatchKind = "locks" | "shared-locks" | "reads" | "looks" | "writes";

/**
 * The order in which a group locks and writes, so that no two transactions wait for each other. Quotas come late: all sends of a
 * merchant wait for them until the transaction ends. See docs/decisions/0041-quotas-are-held-last.md.
 */
const order = [
  ...["lock messages", "messages", "long_contents", "outbox", "dispatches", "idempotency_keys"],
  ...["lock quotas", "usage", "quotas", "daily_totals"],
] as const;

/** The description of a batch. `sql` is given the table `w`, which has a row for each call with the parameters as columns. */
interface BatchDescription {
  readonly kind: BatchKind;
  /** For a batch that locks or writes. */
  readonly order?: (typeof order)[number];
  readonly sql: (wanted: string) => string;
}

export interface Batch {
  readonly kind: BatchKind;
  /** Takes an array for each parameter. Rows that it returns have the number of their call, from 1, as `ordinal`. */
  readonly sql: string;
  readonly rank: number;
}

type Values<Name extends string> = Readonly<Record<Name, SqlValue>>;

/**
 * A statement of one write (`one`), which PostgreSQL runs as one for all writes that share a transaction (`batch`). A batch that
 * changes rows fails the transaction unless it does what `one` does for each write: then each write is run alone.
 */
export interface BatchStatement<Name extends string = string, Row = unknown> {
  (values: Values<Name>): BatchCall<Row>;
  /** Takes values from `more` first, as spreading them into one object is slow. See docs/decisions/0077-a-statement-is-one-object.md. */
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

/** Declares the rows that a batch statement returns. */
export function rowOf<Row>(): Row | undefined {
  return undefined;
}

/**
 * Describes a batch statement. `params` names the parameters in the order of `$1`, `$2`, …; in the batch a parameter `messageId` is
 * the column `w.message_id`. Throws unless both texts have as many parameters.
 */
export function batchStatement<Name extends string, Row = never>(description: {
  readonly params: Readonly<Record<Name, ArrayType>>;
  readonly row?: Row | undefined;
  readonly one: string | EngineTexts;
  readonly batch: BatchDescription;
}): BatchStatement<Name, Row> {
  const { one, batch } = description;
  const { kind } = batch;
  const names = Object.keys(description.params) as Name[];
  const types: ArrayType[] = Object.values(description.params);
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

/** Returns the text for an engine. */
export function textOf(ask: Ask, engine: Engine): string {
  if (typeof ask === "string") return ask;
  return isCall(ask) ? textOf(ask.statement.one, engine) : ask[engine];
}

/** Returns the values of a batch statement's call, or those given with a text. */
export function valuesOf(ask: Ask, given: readonly SqlValue[]): readonly SqlValue[] {
  return typeof ask !== "string" && isCall(ask) ? ask.values : given;
}

/** Returns the batch of a batch statement's call; undefined for a text. */
export function batchOf(ask: Ask): Batch | undefined {
  return typeof ask !== "string" && isCall(ask) ? ask.statement.batch : undefined;
}

/**
 * SQL that makes PostgreSQL look rows up one by one, by the first array, in a table whose rows come and go. `ANALYZE`
 * may count few rows beside many dead ones, and PostgreSQL would then read all of these for each join.
 */
export const isAmong = (column: string) => `${column} = ANY($1::text[])`;

/** SQL that fails the transaction, by a division by zero, unless the condition is true. */
export const require = (condition: string) => `SELECT 1 / CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** The keywords in which engines differ. */
export interface Dialect {
  /** Read only to choose among the engines' texts, tables and ports. */
  readonly engine: Engine;
  /** Type of a text column, which compares by bytes. */
  readonly text: string;
  /** Type of a 64-bit column. */
  readonly int64: string;
  /** Type and constraint of a primary key that the engine counts up. */
  readonly identity: string;
  /** Type and constraint of such a key whose values are never reused after their rows are deleted. */
  readonly singleIdentity: string;
  /** Options of a table. They follow the column list. */
  readonly tableOptions: string;
  /** Options of a table whose rows are stored in its primary key's index. They follow the column list. */
  readonly keyedTableOptions: string;
}

/**
 * One migration of the database's tables. A released one is never edited. On PostgreSQL other instances write while it
 * runs, so its statements lock no large table for long: a new column has a constant default, a constraint is NOT VALID,
 * and an index of an existing table is one of `indexes`.
 */
export interface Migration {
  /** Counts up from 1 without a gap. */
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => string[];
  /** Indexes of tables that may be large. PostgreSQL builds them after the migration, beside writes. @default none */
  readonly indexes?: readonly Index[];
}

export interface Index {
  readonly name: string;
  /** Table and columns: what follows ON in the statement that creates it. */
  readonly on: string;
}

/** Ids begin at the first moment of 2025. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** Ids per millisecond; more rows than this in one use the ids of the next. */
const IDS_A_MS = 4_096;
/** Until 2093: an id stays below 2^53, with room to count on if the clock is wrong. */
const LATEST_MS = EPOCH_MS + Math.floor(2 ** 53 / IDS_A_MS) - 366 * 24 * 3_600_000;

/**
 * Draws an id for a row created at `now`, in epoch milliseconds; 1 outside the years that ids can express. Ids ascend with the time and
 * have random last digits, so that they neither reveal how many rows other tenants have nor repeat after a backup is restored.
 */
export function drawId({ below }: Pick<Randomness, "below">, now: number): number {
  return now < EPOCH_MS || now > LATEST_MS ? 1 : (now - EPOCH_MS) * IDS_A_MS + 1 + below(IDS_A_MS);
}

/** Returns a number that no id drawn at `epochMs` or later is below. */
export function lowestId(epochMs: number): number {
  return Math.max(0, epochMs - EPOCH_MS) * IDS_A_MS;
}

/**
 * SQL of a new row's id: the drawn id, given as `parameter`, or one soon after the table's highest. Not the very next: transactions that
 * begin at the same time find the same highest.
 */
export function newIdSql(table: string, column: string, parameter: string): string {
  return `(SELECT CASE WHEN highest >= ${parameter} THEN highest + 1 + ${parameter} % ${IDS_A_MS} ELSE ${parameter} END
             FROM (SELECT MAX(${column}) AS highest FROM ${table}) AS newest)`;
}
