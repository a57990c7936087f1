/** The polling loop of all commands that wait or watch. */

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
  /** Retries of a single read; undefined: as for any call. */
  retries: number | undefined;
}

export interface Reading {
  read(bounds: Bounds): Promise<unknown>;
  pace: Pace;
  /** Limit for the whole loop; `Infinity` for none. */
  timeoutMs: number;
  clock: Clock;
  signal: AbortSignal;
  /** Called with the error once the service stops answering, and with undefined once it answers again. */
  onTrouble(error: CliError | undefined): void;
  /** Whether the service is known to be reachable; else a first read that cannot reach it ends the wait. */
  hasAnswered: boolean;
}

/** Failures that may be gone by the next read. */
const PASSING: readonly ExitCode[] = [EXIT.network, EXIT.service, EXIT.rateLimited];
const FIRST_TROUBLE_PAUSE_MS = 1_000;
const LONGEST_TROUBLE_PAUSE_MS = 30_000;
/** Caps Retry-After: a service may ask for a longer pause than is reasonable without a read. */
const LONGEST_REQUESTED_PAUSE_MS = 300_000;
/** The read at the deadline itself needs some time. */
const SHORTEST_READ_MS = 1_000;

/**
 * Yields the result of each read until the consumer stops or the time is up; the last read is at the deadline.
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
      // the loop itself retries
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
