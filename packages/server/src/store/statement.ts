// Statements: one SQL text for both engines, a text for each engine, or a batch statement. Also dialects, migrations
// and row ids.

import type { Randomness } from "../platform/randomness.ts";

/** Value of a parameter or column: text, a whole number up to 2^53-1 (times are epoch milliseconds), or null. */
export type SqlValue = string | number | null;

export type Engine = "sqlite" | "postgres";

/** SQL text for each engine. */
export type EngineTexts = Readonly<Record<Engine, string>>;

/** A statement. Parameters are `$1`, `$2`, …. A text that reads rows to change them ends in FOR UPDATE (OF …, SKIP LOCKED). */
export type Ask<Row = unknown> = string | EngineTexts | BatchCall<Row>;

/** Writes the text for each engine from the fragments in which the engines differ. */
export function perEngine<Fragments>(
  of: Readonly<Record<Engine, Fragments>>,
  write: (of: Fragments) => string,
): EngineTexts {
  return { sqlite: write(of.sqlite), postgres: write(of.postgres) };
}

type ArrayType = "bigint" | "text";

/**
 * How a batch is used on PostgreSQL:
 * - `locks` locks rows before any other statement; only one write of the group may lock a row.
 * - `shared-locks` locks rows that several writes of the group may change, because they only add amounts.
 * - `reads` returns rows.
 * - `early-reads` returns rows that the write has not changed or locked with `shared-locks`, and is sent first.
 * - `writes` returns nothing and is sent with the commit.
 */
export type BatchKind = "locks" | "shared-locks" | "reads" | "early-reads" | "writes";

/**
 * The order in which a group locks and writes, so that no two transactions deadlock. Quotas come late, because all sends of a
 * merchant wait for its quota until the transaction ends. See docs/decisions/0041-quotas-are-held-last.md.
 */
const order = [
  ...["lock messages", "messages", "long_contents", "outbox", "dispatches", "idempotency_keys"],
  ...["lock quotas", "usage", "quotas", "daily_totals", "message_events"],
] as const;

/** The description of a batch. `sql` receives SQL of a table `w` with one row per call and the parameters as columns. */
interface BatchDescription {
  readonly kind: BatchKind;
  /** Required for a batch that locks or writes. */
  readonly order?: (typeof order)[number];
  readonly sql: (wanted: string) => string;
}

export interface Batch {
  readonly kind: BatchKind;
  /** Each parameter is an array. Returned rows have the number of their call, from 1, as `ordinal`. */
  readonly sql: string;
  readonly rank: number;
}

type Values<Name extends string> = Readonly<Record<Name, SqlValue>>;

/**
 * A statement of one write (`one`) that PostgreSQL can run once for all writes that share a transaction (`batch`). If a batch
 * would not change the same rows as `one` for each write, it must fail the transaction. Then each write is run alone.
 */
export interface BatchStatement<Name extends string = string, Row = unknown> {
  (values: Values<Name>): BatchCall<Row>;
  /** `more` takes precedence. Spreading into one object would be slow: docs/decisions/0077-a-statement-is-one-object.md. */
  <More extends Partial<Values<Name>>>(values: Values<Exclude<Name, keyof More>>, more: More): BatchCall<Row>;
  readonly one: string | EngineTexts;
  readonly batch: Batch;
}

/** A batch statement with the values of one call. */
export interface BatchCall<Row = unknown> {
  readonly statement: Pick<BatchStatement, "one" | "batch">;
  /** The values in the order of the parameters. */
  readonly values: readonly SqlValue[];
  /** Never set: ties the type of the rows to the statement. */
  readonly row?: Row;
}

/** Declares the rows that a batch statement returns. */
export function rowOf<Row>(): Row | undefined {
  return undefined;
}

/**
 * Creates a batch statement. `params` names the parameters in the order of `$1`, `$2`, …; in the batch the parameter
 * `messageId` is the column `w.message_id`. Throws if a text has another number of parameters.
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
    kind === "reads" || kind === "early-reads"
      ? `unnest(${arrays}) WITH ORDINALITY AS w (${columns.join(", ")}, ordinal)`
      : `unnest(${arrays}) AS w (${columns.join(", ")})`;
  const described = {
    one,
    batch: { kind, sql: batch.sql(table), rank: batch.order === undefined ? 0 : order.indexOf(batch.order) },
  };
  for (const text of [...(typeof one === "string" ? [one] : Object.values(one)), described.batch.sql]) {
    const count = countParameters(text);
    if (count !== names.length)
      throw new Error(`params names ${names.length} parameters, but the text uses ${count}: ${text.trim()}`);
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

/** Returns the values of a batch statement's call, or `given` for a text. */
export function valuesOf(ask: Ask, given: readonly SqlValue[]): readonly SqlValue[] {
  return typeof ask !== "string" && isCall(ask) ? ask.values : given;
}

/** Returns the batch of a batch statement's call; undefined for a text. */
export function batchOf(ask: Ask): Batch | undefined {
  return typeof ask !== "string" && isCall(ask) ? ask.statement.batch : undefined;
}

/**
 * SQL that makes PostgreSQL look up rows one by one, by the array `$1`, in a table whose rows come and go. If `ANALYZE`
 * counts few live rows among many dead ones, PostgreSQL would otherwise scan the table for each join.
 */
export const isAmong = (column: string) => `${column} = ANY($1::text[])`;

/** SQL that fails the transaction with a division by zero unless the condition is true. */
export const require = (condition: string) => `SELECT 1 / CASE WHEN ${condition} THEN 1 ELSE 0 END`;

/** The keywords in which the engines differ. */
export interface Dialect {
  /** Use only to choose among the engines' texts, tables and ports. */
  readonly engine: Engine;
  /** Type of a text column. Its values compare by bytes. */
  readonly text: string;
  /** Type of a 64-bit column. */
  readonly int64: string;
  /** Type and constraint of a primary key that the engine generates by counting up. */
  readonly identity: string;
  /** Type and constraint of a generated key whose values are never reused, even after their rows are deleted. */
  readonly singleIdentity: string;
  /** Options of a table, written after the column list. */
  readonly tableOptions: string;
  /** Options of a table whose rows are stored in its primary key's index, written after the column list. */
  readonly keyedTableOptions: string;
}

/**
 * One migration of the database's tables. Never edit a released one. On PostgreSQL other instances write while it
 * runs, so its statements must not lock a large table for long: give a new column a constant default, make a constraint
 * NOT VALID, and put an index of an existing table into `indexes`.
 */
export interface Migration {
  /** Versions count up from 1 without gaps. */
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => string[];
  /**
   * Indexes of tables that may be large. PostgreSQL builds them after the migration, concurrently with writes. @default
   * none
   */
  readonly indexes?: readonly Index[];
}

export interface Index {
  readonly name: string;
  /** Table and columns, as they follow ON in CREATE INDEX. */
  readonly on: string;
}

/** Ids count from the start of 2025. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** Ids per millisecond. If a millisecond has more rows, they use ids of the next one. */
const IDS_A_MS = 4_096;
/** In 2093: ids then approach 2^53. A year is left in which ids can still count up if the clock was wrong. */
const LATEST_MS = EPOCH_MS + Math.floor(2 ** 53 / IDS_A_MS) - 366 * 24 * 3_600_000;

/**
 * Draws an id for a row created at `now`, in epoch milliseconds; returns 1 outside the years that ids can express. Ids
 * ascend with time. Their random last digits hide how many rows other tenants have, and keep ids from repeating after a
 * backup is restored.
 */
export function drawId({ below }: Pick<Randomness, "below">, now: number): number {
  return now < EPOCH_MS || now > LATEST_MS ? 1 : (now - EPOCH_MS) * IDS_A_MS + 1 + below(IDS_A_MS);
}

/** Returns the lowest id that can be drawn at `epochMs` or later. */
export function lowestId(epochMs: number): number {
  return Math.max(0, epochMs - EPOCH_MS) * IDS_A_MS;
}

/**
 * SQL of a new row's id: the drawn id, given as `parameter`, or, if the table has a higher one, an id soon after the
 * highest. It is not the next number, because concurrent transactions find the same highest id.
 */
export function newIdSql(table: string, column: string, parameter: string): string {
  return `(SELECT CASE WHEN highest >= ${parameter} THEN highest + 1 + ${parameter} % ${IDS_A_MS} ELSE ${parameter} END
             FROM (SELECT MAX(${column}) AS highest FROM ${table}) AS newest)`;
}
