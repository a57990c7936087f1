/**
 * Runs programs alternately, so that a slow phase of the machine affects all of them. Each round runs every program once and
 * starts with the next one.
 */
import { median } from "../sdk/rounds.ts";
import type { Cost, Program } from "./meter.ts";

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface Measured {
  readonly name: string;
  readonly cpuMs: Spread;
  readonly wallMs: number;
  /** Median of the excess over the floor in the same round. */
  readonly overFloorMs: number;
}

/** Runs each program once per round. The first one is the floor. */
export async function measureAlternately(
  programs: readonly Program[],
  rounds: number,
  run: (program: Program) => Promise<Cost>,
): Promise<Measured[]> {
  const taken = programs.map((program) => ({ program, costs: [] as Cost[] }));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % taken.length;
    for (const { program, costs } of [...taken.slice(first), ...taken.slice(0, first)]) costs.push(await run(program));
  }
  const floor = taken[0]?.costs ?? [];
  return taken.map(({ program, costs }) => ({
    name: program.name,
    cpuMs: spreadOf(costs.map(({ cpuMs }) => cpuMs)),
    wallMs: median(costs.map(({ wallMs }) => wallMs)),
    overFloorMs: median(costs.map(({ cpuMs }, round) => cpuMs - (floor[round]?.cpuMs ?? Number.NaN))),
  }));
}

function spreadOf(figures: readonly number[]): Spread {
  return { median: median(figures), least: Math.min(...figures), most: Math.max(...figures) };
}
