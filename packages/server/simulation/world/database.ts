// The database of a world: one, for all instances of it. The worlds of a thread use it one after the other, so that its
// tables are made, and its statements prepared, once. It keeps what no later look could tell: each move of a message, the
// decision of its recipient at the moment of each lease, and when calls begin.

import type { Randomness } from "../../src/platform/randomness.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
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

/** What a recipient decided; null for nothing. */
export type Decision = "OPT_IN" | "OPT_OUT" | null;

export interface NotedLease {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: "SMS" | "EMAIL" | "VOICE";
  readonly type: "OTP" | "TRANSACTIONAL" | "REMINDER" | "MARKETING";
  readonly purpose: string;
  /** The decisions of the recipient that held while the transaction of the lease was open. */
  readonly decisions: readonly Decision[];
  /** When a call was leased, in epoch milliseconds; undefined for anything else, and where its row does not say. */
  readonly ringsAt: number | undefined;
}

/** A call that keeps the hours of a zone, and begins. */
export interface NotedDial {
  readonly requestId: number;
  readonly zone: string;
  /** In epoch milliseconds. */
  readonly at: number;
}

export interface Notes {
  readonly moves: readonly Move[];
  readonly leases: readonly NotedLease[];
  readonly dials: readonly NotedDial[];
}

/** Decides of each statement that writes whether the disk takes it. */
export type TakesWrite = () => boolean;

export type NoteCircle = (statements: readonly string[]) => void;

/** All rows of a moment, as the database keeps them. */
export type Image = readonly unknown[];

/** What an instance's store is made of. */
export interface StoreParts {
  readonly engine: Plan["engine"];
  readonly process: MachineProcess;
  readonly instance: number;
  readonly scheduler: Scheduler;
  readonly chances: Chances;
  readonly random: Random;
  readonly randomness: Randomness;
  /** Ends the process at once. */
  readonly die: () => void;
  /** Called once its disk did not take a commit: it takes nothing more. */
  readonly noteBroken: () => void;
  /** Called after each commit, before it is on the disk; what it gives is called once it is. */
  readonly beginFlush: () => Promise<() => void>;
}

export interface Database {
  /** Asked before each statement that writes. */
  takesWrite: TakesWrite;
  /** Told the statements of transactions that wait for each other. */
  noteCircle: NoteCircle;
  /** Its committed rows, for the checks of a world that has ended. */
  readonly reader: Transaction;
  /** Empties it for the next world, and fills it with what that begins with. */
  begin(randomness: Random, populate: (tx: Transaction) => Promise<void>): Promise<void>;
  /** The store of an instance. */
  openStore(parts: StoreParts): Store;
  /**
   * Has the tables of the next version, as a newer server does at its start, beside others that serve. Returns what is not as it
   * must be then. Undefined where nothing of it comes between what others do.
   */
  readonly upgrade?: (parts: StoreParts) => Promise<string[]>;
  /**
   * Has somebody read a table in a transaction that lasts for so long, in microseconds. Undefined where nobody waits for those
   * who read.
   */
  readonly readForLong?: (table: string, us: number, scheduler: Scheduler) => void;
  /** Whether somebody changes tables, or waits to: whoever reads them has to wait as well. Undefined where nobody ever has. */
  readonly isLocked?: () => Promise<boolean>;
  /** Runs what an operator does beside the instances, on a disk with room. */
  operate<T>(work: (tx: Transaction) => Promise<T>, scheduler: Scheduler): Promise<T>;
  image(): Promise<Image>;
  /** Has the rows of an image in place of its own. */
  restore(image: Image): Promise<void>;
  /** What was noted since the last time. */
  takeNotes(): Promise<Notes>;
  all<Row>(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}
