/** A reference measured in the same run, and its time on the machine where the goal was set. */
export interface Yardstick {
  readonly name: string;
  readonly thenMs: number;
  /** Undefined if it could not be measured. The goal is then not scaled. */
  readonly nowMs: number | undefined;
}

export interface TimeGoal {
  readonly mostMs: number;
  /** Description of the goal, with its value on this machine. */
  readonly said: string;
}

/** A goal in milliseconds, scaled to this machine by the reference's time. */
export function timeGoal(goalMs: number, { name, thenMs, nowMs }: Yardstick): TimeGoal {
  if (nowMs === undefined) return { mostMs: goalMs, said: `≤ ${goalMs} ms` };
  const mostMs = (goalMs * nowMs) / thenMs;
  return { mostMs, said: `≤ ${goalMs} ms where ${name} takes ${thenMs}: ${mostMs.toFixed(1)} here` };
}

/** A goal for a rate, scaled to this machine by another rate. */
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
  /** Description of the goal, with its value on this machine. */
  readonly said: string;
}
