// Shared parts of carriers over HTTP APIs: submissions that wait for their answers, events that are being recorded, and the
// pauses before a message is submitted again.

import type { Clock } from "../platform/clock.ts";
import { NotSent } from "./api-client.ts";
import { endWithin } from "./link.ts";
import type { EventSink, ProviderEvent, SubmitOutcome } from "./provider.ts";

/** How long a stop waits for the answers of requests in progress. */
const DRAIN_MS = 10_000;
/** The shortest and longest pause before a message is submitted again, in milliseconds. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const STOPPED = "the carrier is not running";

/**
 * Chooses the pause before a message is submitted again, in milliseconds: as long as the API says, or twice as long as the
 * pause before.
 */
export function choosePauseMs(attempts: number, retryAfter?: string): number {
  const seconds = Number(retryAfter);
  if (retryAfter === undefined || !Number.isFinite(seconds) || seconds < 0)
    return Math.min(SHORTEST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
  return Math.min(Math.max(seconds * 1_000, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

/** Puts a message off whose request did not leave. Throws any other error: the API may have received the message. */
export function deferUnsent(error: unknown, { attempts, signal }: { attempts: number; signal: AbortSignal }) {
  if (!(error instanceof NotSent) || signal.aborted) throw error;
  const retryAfterMs = choosePauseMs(attempts);
  return { outcome: "deferred", retryAfterMs, detail: error.message, isUnreached: true } as const;
}

/** The submissions and events of a carrier that are in progress. */
export class ApiTraffic {
  readonly #clock: Clock;
  readonly #submitting = new Set<Promise<SubmitOutcome>>();
  readonly #recording = new Set<Promise<void>>();
  #sink: EventSink | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isRecording(): boolean {
    return this.#recording.size > 0;
  }

  start(sink: EventSink): void {
    this.#sink = sink;
  }

  /** Submits a message between the start and the stop only: `stop` does not wait for submissions that begin later. */
  async submit(begin: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> {
    if (this.#sink === undefined) return { outcome: "deferred", retryAfterMs: SHORTEST_PAUSE_MS, detail: STOPPED };
    const outcome = begin();
    this.#submitting.add(outcome);
    try {
      return await outcome;
    } finally {
      this.#submitting.delete(outcome);
    }
  }

  /** Resolves once the event is recorded, to whether it was: it is not after a stop. */
  async record(event: ProviderEvent): Promise<boolean> {
    const recorded = this.#sink?.(event);
    if (recorded === undefined) return false;
    this.#recording.add(recorded);
    try {
      await recorded;
    } finally {
      this.#recording.delete(recorded);
    }
    return true;
  }

  /**
   * Accepts no further submissions and events, and waits for everything in progress: without its answer, a message is in
   * doubt.
   */
  async stop(): Promise<void> {
    this.#sink = undefined;
    await endWithin(this.#clock, DRAIN_MS, Promise.allSettled(this.#submitting));
    await Promise.allSettled(this.#recording);
  }
}
