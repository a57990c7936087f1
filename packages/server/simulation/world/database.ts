// The database of a world, shared by all its instances. The worlds of a thread use it one after the other, so that its
// tables are created and its statements prepared only once. It records facts that the rows at the end do not show: each
// change of a message's state, the recipient's consent decision at each lease, and the time of each dialled call.

import type { Randomness } from "../../src/platform/randomness.ts";
import type { NoteCommit, Store, Transaction } from "../../src/store/store.ts";
import type { Plan } from "../plan/plan.ts";
import type { Random } from "../random.ts";
import type { Chances } from "./chances.ts";
import type { MachineProcess } from "./machine.ts";
import type { Scheduler } from "./scheduler.ts";

export interface Move {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
}

/** A recipient's consent decision; null if there is none. */
export type Decision = "OPT_IN" | "OPT_OUT" | null;

export interface NotedLease {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: "SMS" | "EMAIL" | "VOICE";
  readonly type: "OTP" | "TRANSACTIONAL" | "REMINDER" | "MARKETING";
  readonly purpose: string;
  /** The recipient's decisions that held while the lease's transaction was open. */
  readonly decisions: readonly Decision[];
  /** Time at which a call was leased, in epoch milliseconds; undefined for other messages, and on PostgreSQL. */
  readonly ringsAt: number | undefined;
}

/** A dialled call to which the quiet hours of a time zone apply. */
export interface NotedDial {
  readonly requestId: number;
  readonly zone: string;
  /** Time of the dialling, in epoch milliseconds. */
  readonly at: number;
}

export interface Notes {
  readonly moves: readonly Move[];
  readonly leases: readonly NotedLease[];
  readonly dials: readonly NotedDial[];
}

/** Decides whether the disk takes a write. */
export type TakesWrite = () => boolean;

export type NoteCircle = (statements: readonly string[]) => void;

/** All rows at one moment, as the database stores them. */
export type Image = readonly unknown[];

/** Parts that an instance's store is built from. */
export interface StoreOptions {
  readonly engine: Plan["engine"];
  readonly process: MachineProcess;
  readonly instance: number;
  readonly scheduler: Scheduler;
  readonly chances: Chances;
  readonly random: Random;
  readonly randomness: Randomness;
  /** Ends the process immediately. */
  readonly die: () => void;
  /** Called after the disk has failed a commit: the store takes no more writes. */
  readonly noteBroken: () => void;
  /** Called after each commit, before it is flushed. The returned function is called after the flush. */
  readonly beginFlush: () => Promise<() => void>;
  /** Called after each durable commit with what its writes have noted. */
  readonly noteCommit: NoteCommit;
}

export interface Database {
  /** Called before each statement that writes. */
  takesWrite: TakesWrite;
  /** Called with the statements of transactions in a deadlock. */
  noteCircle: NoteCircle;
  /** Reads committed rows, for the checks of a world that has ended. */
  readonly reader: Transaction;
  /** Empties the database for the next world, and fills it with that world's initial rows. */
  begin(randomness: Random, populate: (tx: Transaction) => Promise<void>): Promise<void>;
  /** Opens the store of an instance. */
  openStore(options: StoreOptions): Store;
  /**
   * Creates the tables of the next version, as a newer server does at its start while older ones run. Returns the faults
   * of the result. Undefined if the engine does not interleave transactions.
   */
  readonly upgrade?: (options: StoreOptions) => Promise<string[]>;
  /** Reads a table in a transaction that lasts `us` microseconds. Undefined if the engine's writers never wait for readers. */
  readonly readForLong?: (table: string, us: number, scheduler: Scheduler) => void;
  /**
   * Whether a schema change holds a table lock or waits for one; readers then have to wait, too. Undefined if that never
   * happens.
   */
  readonly isLocked?: () => Promise<boolean>;
  /** Runs an operator's command beside the instances. It succeeds even if the disk is full. */
  operate<T>(work: (tx: Transaction) => Promise<T>, scheduler: Scheduler): Promise<T>;
  image(): Promise<Image>;
  /** Replaces all rows with those of an image. */
  restore(image: Image): Promise<void>;
  /** Returns the notes since the last call. */
  takeNotes(): Promise<Notes>;
  all<Row>(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}
