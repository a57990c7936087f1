// Where the tables of the engines differ: how one engine gives what the other one keeps in a table that it has not, or has
// otherwise. Whatever is not said here is copied from the table of the same name, column by column.

import type { Engine } from "./transfer-end.ts";

export interface StandIn {
  /** A SELECT whose rows are those of the table at the other end. */
  readonly select: string;
  /** The columns that it gives; the others are left to the table. @default all that the table has */
  readonly columns?: readonly string[];
  /** What its rows are told apart by. @default the table's primary key */
  readonly key?: readonly string[];
  /** Tables of this engine alone that it reads, and which are taken along by it. */
  readonly reads?: readonly string[];
}

/** By the table at the other end. */
export type StandIns = Readonly<Record<string, StandIn>>;

/** By the engine that rows are taken from. */
export const standIns: Readonly<Record<Engine, StandIns>> = { sqlite: {}, postgres: {} };

/** Tables of one engine whose rows the other keeps outside of its database. */
export const keptApart: ReadonlySet<string> = new Set(["installation"]);
