/** A peer that is measured in the same run, and what it took where the goal was set. */
export interface Yardstick {
  readonly name: string;
  readonly thenMs: number;
  /** Undefined where it could not be measured: the goal then holds as it is. */
  readonly nowMs: number | undefined;
}

export interface TimeGoal {
  readonly mostMs: number;
  /** In words, with what it comes to on this machine. */
  readonly said: string;
}

/** A goal in milliseconds, for a machine on which the peer takes more or less than where the goal was set. */
export function timeGoal(goalMs: number, { name, thenMs, nowMs }: Yardstick): TimeGoal {
  if (nowMs === undefined) return { mostMs: goalMs, said: `≤ ${goalMs} ms` };
  const mostMs = (goalMs * nowMs) / thenMs;
  return { mostMs, said: `≤ ${goalMs} ms where ${name} takes ${thenMs}: ${mostMs.toFixed(1)} here` };
}

/** A goal of a rate, for a machine that does more or less of something else than the one where the goal was set. */
export function rateGoal(
  goalPerSecond: number,
  { name, thenPerSecond, nowPerSecond }: { name: string; thenPerSecond: number; nowPerSecond: number },
): RateGoal {
  const leastPerSecond = (goalPerSecond * nowPerSecond) / thenPerSecond;
  return {
    leastPerSecond,
    said: `≥ ${goalPerSecond} /s where ${name} ${thenPerSecond}: ${leastPerSecond.toFixed(0)} here`,
  };
}

export interface RateGoal {
  readonly leastPerSecond: number;
  /** In words, with what it comes to on this machine. */
  readonly said: string;
}
