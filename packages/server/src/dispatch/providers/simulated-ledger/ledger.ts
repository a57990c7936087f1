// What the simulated provider remembers: like a real one's records, they outlive the server's crashes, and no rollback of
// the server's reaches them.

import type { MessageEvent } from "../provider.ts";
import type { Happening } from "../simulated-behaviours.ts";

/** A submission as the ledger is told of it. */
export interface Arrival {
  /** The client's reference. */
  readonly reference: string;
  /** Whether the message's submissions are taken, in their order; the last one holds for all that follow. */
  readonly takes: readonly [boolean, ...boolean[]];
  /** Whether the provider answers questions about the message. */
  readonly answersFind: boolean;
  /** JSON of the submission, without its text. */
  readonly submission: string;
  /** In epoch milliseconds. */
  readonly submittedAt: number;
  /** What is reported of it if it is taken. */
  readonly happenings: readonly Happening[];
}

/** How often a message was submitted, and how often it was taken, and so actually sent. */
export interface Counts {
  readonly attempts: number;
  readonly sends: number;
}

/** What is known of a message. */
export interface LedgerEntry extends Counts {
  /** 0 if the provider does not answer questions about the message. */
  readonly answersFind: 0 | 1;
  /** JSON of the last submission, without its text. */
  readonly submission: string;
  /** Time of the last submission, in epoch milliseconds. */
  readonly submittedAt: number;
}

/** A send, and what is reported of it. */
export interface Sent extends Pick<Arrival, "reference" | "submittedAt" | "happenings"> {
  /** Which of the message's sends: 1 is the first. */
  readonly send: number;
}

/** A payment as the simulated processor knows it. */
export interface LedgerPayment {
  readonly paymentMethod: string | null;
  /** How often its charge was requested: once, unless the server is broken. */
  readonly charges: number;
  readonly submittedAt: number;
}

/** An event that was told, and whether its recipient has recorded it. */
export interface Told {
  readonly event: MessageEvent;
  readonly isRecorded: boolean;
}

/** A write that rejects may have been made: its outcome is unknown. */
export interface Ledger {
  /** Whether it has work that ends without waiting for the clock. */
  readonly isBusy: boolean;
  /** Counts a submission and, if it is taken, keeps what is to be reported of it. Returns the counts with it. */
  submit(arrival: Arrival): Promise<Counts>;
  find(reference: string): Promise<LedgerEntry | undefined>;
  /** The references of those of the last 1 024 submissions that were taken, at most `limit`, newest first. */
  listNewest(limit: number): Promise<string[]>;
  /** Keeps what is reported of a send once more; an event still kept stays as it is. */
  report(sent: Sent): Promise<void>;
  /** When the earliest event is due, so far as this process knows; `noteDue` says when it learns of an earlier one. */
  findNextDue(): number | undefined;
  /** Events due by now, earliest first. For a while nobody else is given them. */
  claimDue(limit: number): Promise<MessageEvent[]>;
  /** Forgets the events that were recorded, and keeps the others to be told again at `retellAt`. */
  settle(told: readonly Told[], retellAt: number): Promise<void>;
  /** Counts a request to charge a payment, and returns what was known of it before, or now is. */
  charge(reference: string, payment: Pick<LedgerPayment, "paymentMethod" | "submittedAt">): Promise<LedgerPayment>;
  findPayment(reference: string): Promise<LedgerPayment | undefined>;
  addSpeech(reference: string): Promise<void>;
  /** How often a speech was made. */
  countSpeech(reference: string): Promise<number>;
  clear(): Promise<void>;
  /** Waits for no answer of a database any more. Not there where the engine runs in this process. */
  breakOff?(): void;
  close(): Promise<void>;
}

/** What a ledger is opened with. */
export interface LedgerSurroundings {
  readonly now: () => number;
  /** Called when it learns that an event is due at a time that may be earlier than any before. */
  readonly noteDue: (dueAt: number) => void;
}
