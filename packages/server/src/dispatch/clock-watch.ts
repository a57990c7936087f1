// Compares this machine's clock with the database server's clock, which all instances share. An instance whose clock is
// ahead would expire messages without sending them.

import { type ClockAgreement, judgeClock, WRONG_MS } from "../domain/clock-agreement.ts";
import { type Clock, systemClock } from "../platform/clock.ts";

/** Longest round trip after which the answer is still precise enough. */
const LONGEST_TRIP_MS = 2_000;

export interface ClockWatchOptions {
  /** Returns the database's time, in epoch milliseconds. */
  readonly findDatabaseTime: () => Promise<number>;
  readonly clock: Pick<Clock, "after">;
  /** The machine's own clock, because a service's clock may have been moved on purpose. @default systemClock */
  readonly machine?: Pick<Clock, "now" | "elapsed"> | undefined;
  /** Interval between comparisons, in milliseconds of elapsed time. */
  readonly pollIntervalMs: number;
  readonly warn: (details: object, text: string) => void;
}

export interface ClockWatch {
  /** Compares the clocks now, and again every `pollIntervalMs`. */
  start(): Promise<void>;
  /** Returns whether the clock may be used to decide what is due. */
  isTrusted(): boolean;
  /** Milliseconds by which the machine's clock is ahead of the database's. Undefined before the first comparison. */
  aheadMs(): number | undefined;
  /** Explains why the clock is not trusted. Returns undefined if it is trusted. */
  findObstacle(): string | undefined;
  /** Warns if the clock is trusted but inexact. Returns undefined if there is nothing to warn about. */
  findNote(): string | undefined;
  isBusy(): boolean;
  stop(): Promise<void>;
}

interface Comparison {
  /** The database's time when the machine's elapsed time was 0. */
  readonly origin: number;
  /** Half of the round-trip time. */
  readonly doubtMs: number;
}

/** Creates a watch. It trusts the clock until the difference from the database's clock becomes too large. */
export function createClockWatch(options: ClockWatchOptions): ClockWatch {
  const { findDatabaseTime, clock, machine = systemClock, pollIntervalMs, warn } = options;
  let agreement: ClockAgreement = "agrees";
  let last: Comparison | undefined;
  let look: Promise<void> | undefined;
  let isStopped = false;
  let cancel = () => {};

  function aheadMs(): number | undefined {
    return last && machine.now() - machine.elapsed() - last.origin;
  }

  /** Judges the clock as it is now, because it may have been set since the last comparison. */
  function judge(): ClockAgreement {
    return judgeClock(Math.abs(aheadMs() ?? 0) - (last?.doubtMs ?? 0), agreement);
  }

  function tellTimes(): string {
    const [own, databases] = [machine.now(), machine.now() - (aheadMs() ?? 0)].map((ms) => new Date(ms).toISOString());
    return `This machine's clock reads ${own}, the database's ${databases}`;
  }

  async function compare(): Promise<void> {
    const askedAt = machine.elapsed();
    const time = await findDatabaseTime();
    const tripMs = machine.elapsed() - askedAt;
    if (tripMs > LONGEST_TRIP_MS) return;
    last = { origin: time - askedAt - tripMs / 2, doubtMs: tripMs / 2 };
    const found = judge();
    if (found === agreement) return;
    agreement = found;
    warn({ aheadMs: Math.round(aheadMs() ?? 0) }, `${tellTimes()}: ${consequences[found]}`);
  }

  function pollOnce(): Promise<void> {
    // if the database does not answer, keep the last comparison
    look = compare()
      .catch(() => {})
      .then(() => {
        look = undefined;
        if (!isStopped) cancel = clock.after(pollIntervalMs, () => void pollOnce());
      });
    return look;
  }

  return {
    start: pollOnce,
    isTrusted: () => judge() !== "wrong",
    aheadMs,
    findObstacle: () => (judge() === "wrong" ? `${tellTimes()}: ${consequences.wrong}` : undefined),
    findNote: () => (judge() === "apart" ? `${tellTimes()}: ${consequences.apart}` : undefined),
    isBusy: () => look !== undefined,
    async stop() {
      isStopped = true;
      cancel();
      await look;
    },
  };
}

const consequences: Readonly<Record<ClockAgreement, string>> = {
  agrees: "they agree again.",
  apart: `correct the wrong clock before they are ${WRONG_MS / 1_000} s apart.`,
  wrong: "this instance sends nothing until they agree. Correct the wrong clock.",
};
