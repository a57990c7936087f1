// In what the engines differ, and the steps that make their tables.

import type { Engine } from "./statement.ts";

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
