import type { Dialect } from "../store.ts";

/** One step of the database's tables. A released step is never edited: the next change is a step of its own. */
export interface Migration {
  /** Counts up from 1 without a gap. */
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: Dialect) => string[];
}
