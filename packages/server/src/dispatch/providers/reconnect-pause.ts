const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * How long to wait before the next attempt to connect, in milliseconds: about twice as long after each that failed, 1 s to
 * 60 s, so that many who lost the same carrier do not come back together. `random` gives 0 to 1.
 */
export function choosePause(failures: number, random: () => number): number {
  const most = Math.min(2 * SHORTEST_MS * 2 ** failures, LONGEST_MS);
  return (most / 2) * (1 + random());
}
