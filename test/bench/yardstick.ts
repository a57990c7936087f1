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
