import type { Clock } from "../process/clock.ts";

export interface FakeClock extends Clock {
  /** The lengths of all pauses so far, in milliseconds. */
  readonly pauses: readonly number[];
}

/** Creates a clock that never waits. Only pauses advance it; `onPause` is called before each pause ends. */
export function createFakeClock(onPause: (ms: number, nowMs: number) => void = () => {}): FakeClock {
  let nowMs = Date.parse("2026-03-01T12:00:00Z");
  const pauses: number[] = [];
  return {
    pauses,
    now: () => nowMs,
    async pause(ms) {
      pauses.push(ms);
      nowMs += ms;
      onPause(ms, nowMs);
    },
  };
}
