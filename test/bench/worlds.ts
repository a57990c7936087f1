// Measures how many simulated worlds run per second, with one process for each core, and how many sends the same machine
// accepts.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type SectionOutput, tableLines } from "./section-output.ts";
import { acceptedGoal, measureAccepted } from "./sustained-dispatch.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const GOAL = 200;

export interface WorldsSize {
  /** Number of seeds per round: high enough for the start of the processes not to matter. */
  readonly seeds: number;
  readonly rounds: number;
  /** Duration of the sends in each round. */
  readonly seconds: number;
}

interface Round {
  readonly worldsPerSecond: number;
  readonly acceptedPerSecond: number;
}

/** Compares the goal with the median round. Rounds are ordered by worlds per send, as the machine may be faster in some. */
export async function benchWorlds(size: WorldsSize, { print, printGoal }: SectionOutput): Promise<void> {
  print(`\nSimulated worlds, ${size.seeds} seeds a round, and sends, in turns\n`);
  const rounds: Round[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const acceptedPerSecond = await measureAccepted(size.seconds);
    rounds.push({ acceptedPerSecond, worldsPerSecond: await measureWorlds(size.seeds) });
  }
  const rows = rounds.map(({ worldsPerSecond, acceptedPerSecond }, index) => [
    `round ${index + 1}`,
    worldsPerSecond.toFixed(1),
    acceptedPerSecond.toFixed(0),
  ]);
  for (const line of tableLines(["", "worlds a second", "sends a second"], rows)) print(line);
  print("");
  const byShare = rounds.toSorted((one, other) => shareOf(one) - shareOf(other));
  const { worldsPerSecond, acceptedPerSecond } = byShare[Math.floor(byShare.length / 2)] as Round;
  const goal = acceptedGoal(GOAL, acceptedPerSecond);
  printGoal("worlds", `${worldsPerSecond.toFixed(1)} /s`, goal.said, worldsPerSecond >= goal.leastPerSecond);
}

function shareOf({ worldsPerSecond, acceptedPerSecond }: Round): number {
  return worldsPerSecond / acceptedPerSecond;
}

async function measureWorlds(seeds: number): Promise<number> {
  const simulate = [
    ...["--import", "tsx", join(root, "packages/server/simulation/main.ts")],
    ...["--seeds", String(seeds), "-o", "json"],
  ];
  const { stdout } = await promisify(execFile)(process.execPath, simulate, { cwd: root });
  return (JSON.parse(stdout) as Pick<Round, "worldsPerSecond">).worldsPerSecond;
}
