import type { Task } from "./claim.ts";
import type { Pace } from "./pace.ts";

/** Long contents in memory past which no more messages are taken up; all short ones together are never as much. */
const MOST_HELD_BYTES = 16 * 1_048_576;

/**
 * The provider's calls of one kind. Each kind has its own: while a carrier does not say what became of messages, others
 * are sent, and the other way round.
 */
export class Lane {
  readonly kind: Task["kind"];
  readonly pace: Pace;
  readonly underWay = new Set<Promise<void>>();
  /** Whether something may be due that was not looked at. */
  isNotified = false;
  /** Long contents of the messages of calls under way. */
  heldBytes = 0;
  readonly #concurrency: number;

  constructor(kind: Task["kind"], { concurrency, pace }: { concurrency: number; pace: Pace }) {
    this.kind = kind;
    this.pace = pace;
    this.#concurrency = concurrency;
  }

  /** How many calls more may be under way. */
  get room(): number {
    return this.heldBytes < MOST_HELD_BYTES ? this.#concurrency - this.underWay.size : 0;
  }

  /** Whether to look for what is due, now. */
  get isReady(): boolean {
    return this.isNotified && this.room > 0 && this.pace.restsUntil === undefined;
  }
}
