/**
 * Alternating rounds in one process, so that a slow phase of the machine affects all subjects. Measures CPU time, which other
 * processes hardly affect. That is sufficient, because nothing measured here waits.
 */

export interface Subject {
  readonly name: string;
  /** Does the measured work once. The result is awaited if it is a promise. */
  run(): unknown;
}

export interface RoundsPlan {
  readonly rounds: number;
  /** Duration of each subject in each round. */
  readonly roundMs: number;
  /** Warm-up before the first counted round, in which the JIT compiler optimizes the code. */
  readonly warmUpMs: number;
}

const WARM_UP_RUNS = 200;

/**
 * Nanoseconds of CPU time per run, by subject, one figure per round. Subjects alternate, and each round starts with the next
 * one.
 */
export async function measureRounds(subjects: readonly Subject[], plan: RoundsPlan): Promise<Record<string, number[]>> {
  const runsByName = new Map<string, number>();
  for (const { name, run } of subjects) {
    const warmed = await runFor(run, plan.warmUpMs);
    runsByName.set(name, Math.max(1, Math.round((plan.roundMs * 1e6) / warmed)));
  }
  const figures: Record<string, number[]> = Object.fromEntries(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < plan.rounds; round += 1) {
    for (let turn = 0; turn < subjects.length; turn += 1) {
      const subject = subjects[(round + turn) % subjects.length];
      if (subject === undefined) continue;
      figures[subject.name]?.push(await timeRuns(subject.run, runsByName.get(subject.name) ?? 1));
    }
  }
  return figures;
}

/** Nanoseconds per run over the second half of the time, when most code is compiled. */
async function runFor(run: () => unknown, milliseconds: number): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < milliseconds / 2) await timeRuns(run, WARM_UP_RUNS);
  const figures: number[] = [];
  do figures.push(await timeRuns(run, WARM_UP_RUNS));
  while (performance.now() - begun < milliseconds);
  return median(figures);
}

async function timeRuns(run: () => unknown, runs: number): Promise<number> {
  // Collects the other subjects' garbage first, so that it is not charged to this one.
  globalThis.gc?.({ type: "minor" });
  const begun = process.cpuUsage();
  for (let done = 0; done < runs; done += 1) {
    const outcome = run();
    if (outcome instanceof Promise) await outcome;
  }
  const { user, system } = process.cpuUsage(begun);
  return ((user + system) * 1000) / runs;
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}
