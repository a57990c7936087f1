/** Measures whole processes of msgctl and of its peers, compared with an empty program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Measured, measureAlternately } from "./alternately.ts";
import { type Leaf, listLeaves } from "./leaves.ts";
import type { Cost, Meter, Program } from "./meter.ts";
import { ownProgram } from "./own-package.ts";
import type { InstalledPeer } from "./peer-programs.ts";

export interface ProcessPlan {
  readonly rounds: number;
  /** Rounds in which every command's help is measured, to find the slowest. */
  readonly surveyRounds: number;
}

export interface World {
  /** An empty folder, the programs' home and working directory. */
  readonly home: string;
  /** Address of the service that answers the GET request. */
  readonly origin: string;
}

export interface Processes {
  readonly rows: readonly Measured[];
  /** Rows of the slowest help of each kind, by name. */
  readonly slowest: Readonly<Record<Leaf["kind"], string>>;
  readonly leaves: number;
  /** Command lines of peers that did not exit with 0, and their output. */
  readonly failures: readonly string[];
}

export const FLOOR = "empty program";
/** A leaf command with many flags, measured even if it is not the slowest. */
const USUAL_LEAF = ["send", "sms"];

/**
 * Measures every leaf's help briefly, then the slowest of each kind again, alternating with the other programs. The first
 * figure of the slowest is biased: it is the maximum of many.
 */
export async function measureProcesses(
  meter: Meter,
  plan: ProcessPlan,
  world: World,
  peers: readonly InstalledPeer[],
): Promise<Processes> {
  const run = (program: Program) => meter.run(program);
  const floor = emptyProgram(world);
  const leaves = listLeaves();
  const helps = leaves.map(({ words }) => own(world, words, "--help"));
  const [, ...surveyed] = await measureAlternately([floor, ...helps], plan.surveyRounds, run);
  const slowestOf = (kind: Leaf["kind"]) => {
    const candidates = surveyed.filter((_, index) => leaves[index]?.kind === kind);
    const most = Math.max(...candidates.map(({ overFloorMs }) => overFloorMs));
    const found = helps.find(({ name }) => candidates.find((row) => row.name === name)?.overFloorMs === most);
    if (found === undefined) throw new Error(`no ${kind} command was measured`);
    return found;
  };
  const [generated, defined] = [slowestOf("generated"), slowestOf("defined")];
  const programs = distinct([
    floor,
    own(world, [], "--version"),
    own(world, [], "--help"),
    own(world, USUAL_LEAF, "--help"),
    generated,
    defined,
    own(world, ["merchants", "list"]),
    own(world, ["merchants", "list"], "-o", "json"),
  ]);
  const { running, failures } = await tryOnce(
    peers.flatMap((peer) => programsOf(peer, world)),
    run,
  );
  // the first run only warms the file cache
  for (const program of programs) await run(program);
  return {
    rows: await measureAlternately([...programs, ...running], plan.rounds, run),
    slowest: { generated: generated.name, defined: defined.name },
    leaves: leaves.length,
    failures,
  };
}

export function own({ home, origin }: World, words: readonly string[], ...flags: readonly string[]): Program {
  const args = [...words, ...flags];
  return {
    name: ["msgctl", ...args].join(" "),
    argv: [process.execPath, ownProgram, ...args],
    cwd: home,
    env: { ...plainEnvironment(home), ...ownSettings(origin) },
  };
}

export function ownSettings(origin: string): Record<string, string> {
  return { MSGCTL_BASE_URL: origin, MSGCTL_API_KEY: "bench", MSGCTL_API_SECRET: "bench" };
}

/** An empty CommonJS program. It is the strictest floor, because Node takes longer to start an ES module. */
function emptyProgram({ home }: World): Program {
  mkdirSync(home, { recursive: true });
  const file = join(home, "empty.cjs");
  writeFileSync(file, "");
  return { name: FLOOR, argv: [process.execPath, file], cwd: home, env: plainEnvironment(home) };
}

function programsOf({ folder, program, lines, env }: InstalledPeer, { home }: World): Program[] {
  return Object.entries(lines).map(([name, args]) => ({
    name,
    argv: [process.execPath, join(folder, program), ...args],
    cwd: home,
    env: { ...plainEnvironment(home), ...env },
  }));
}

function plainEnvironment(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: home };
}

/** Finds the peers that run on this machine. This also warms the file cache. */
async function tryOnce(programs: readonly Program[], run: (program: Program) => Promise<Cost>) {
  const running: Program[] = [];
  const failures: string[] = [];
  for (const program of programs) {
    try {
      await run(program);
      running.push(program);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { running, failures };
}

function distinct(programs: readonly Program[]): Program[] {
  return [...new Map(programs.map((program) => [program.name, program])).values()];
}
