/** The polling loop for all commands that wait or watch. */

import { CliError } from "../failures/errors.ts";
import type { Clock } from "../process/clock.ts";
import { EXIT, type ExitCode } from "../process/exit-codes.ts";

/** The pauses between reads. */
export interface Pace {
  firstMs: number;
  /** Factor by which each pause grows. */
  growth: number;
  longestMs: number;
}

export interface Bounds {
  /** Time limit of one read, including its retries. */
  timeoutMs: number;
  /** Retries of a single read; undefined: the default of any call. */
  retries: number | undefined;
}

export interface Reading {
  read(bounds: Bounds): Promise<unknown>;
  pace: Pace;
  /** Limit for the whole loop; `Infinity` for none. */
  timeoutMs: number;
  clock: Clock;
  signal: AbortSignal;
  /** Called with the error when the service stops answering, and with undefined when it answers again. */
  onTrouble(error: CliError | undefined): void;
  /** Whether the service has answered before. If not, the wait ends if the first read cannot reach the service. */
  hasAnswered: boolean;
}

/** Exit codes of transient failures, after which the loop reads again. */
const PASSING: readonly ExitCode[] = [EXIT.network, EXIT.service, EXIT.rateLimited];
const FIRST_TROUBLE_PAUSE_MS = 1_000;
const LONGEST_TROUBLE_PAUSE_MS = 30_000;
/** Longest pause that a Retry-After header can request. */
const LONGEST_REQUESTED_PAUSE_MS = 300_000;
/** Shortest time limit of a read, so that the read at the deadline can finish. */
const SHORTEST_READ_MS = 1_000;

/**
 * Yields the result of each read until the consumer stops or the deadline passes. The last read is at the deadline.
 *
 * @throws {CliError} With exit code 130 as soon as the signal is aborted; a read's error, unless it is transient.
 */
export async function* readAgain(reading: Reading): AsyncGenerator<unknown, void, undefined> {
  const { read, pace, timeoutMs, clock, signal, onTrouble } = reading;
  const deadlineMs = clock.now() + timeoutMs;
  let { hasAnswered } = reading;
  let pauseMs = pace.firstMs;
  let troublePauseMs: number | undefined;
  for (;;) {
    const bounds = {
      timeoutMs: Math.max(SHORTEST_READ_MS, deadlineMs - clock.now()),
      // after the first answer, the loop itself retries
      retries: hasAnswered ? 0 : undefined,
    };
    const outcome = await attempt(read(bounds), signal);
    let nextMs = pauseMs;
    if (outcome.ok) {
      if (troublePauseMs !== undefined) onTrouble(undefined);
      troublePauseMs = undefined;
      hasAnswered = true;
      yield outcome.view;
      pauseMs = Math.min(pauseMs * pace.growth, pace.longestMs);
    } else {
      const { error } = outcome;
      const isReached = hasAnswered || error.exitCode !== EXIT.network;
      if (!isReached && clock.now() < deadlineMs) throw error;
      if (troublePauseMs === undefined) onTrouble(error);
      const requestedMs = Math.min(error.details.retryAfterMs ?? 0, LONGEST_REQUESTED_PAUSE_MS);
      troublePauseMs = Math.min((troublePauseMs ?? FIRST_TROUBLE_PAUSE_MS / 2) * 2, LONGEST_TROUBLE_PAUSE_MS);
      nextMs = Math.max(troublePauseMs, requestedMs);
    }
    const leftMs = deadlineMs - clock.now();
    if (leftMs <= 0) return;
    await clock.pause(Math.min(nextMs, leftMs), signal);
    if (signal.aborted) throw interrupted();
  }
}

type Attempt = { ok: true; view: unknown } | { ok: false; error: CliError };

async function attempt(read: Promise<unknown>, signal: AbortSignal): Promise<Attempt> {
  try {
    return { ok: true, view: await read };
  } catch (error) {
    if (signal.aborted) throw interrupted();
    if (error instanceof CliError && PASSING.includes(error.exitCode)) return { ok: false, error };
    throw error;
  }
}

function interrupted(): CliError {
  return new CliError(EXIT.interrupted, "interrupted", "interrupted");
}
