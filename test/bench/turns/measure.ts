// Runs one stress after the other, each on a new server with its own data. Measures the longest turn, another tenant's sends
// and the memory, both without and with the stress.

import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { forgetPeakMemory, readPeakMb, type Server } from "../process.ts";
import type { TurnFigures } from "./probe.mjs";
import { type SteadyFigures, SteadyLoad } from "./steady-load.ts";
import { copyWorld, type ProbedServer, startProbed, type World } from "./world.ts";

/** Far from saturation, so that any delay is caused by the stress. */
export const SENDS_A_SECOND = 250;
const WARM_UP_MS = 2_000;
/** Longer than a start takes on a busy machine. */
const START_MS = 6_000;
/** Longest time from the end of a dying process's last connection until the process has exited. */
const EXIT_MS = 1_000;

export interface Stress {
  readonly name: string;
  /** Fills the data of a stopped server. Returns when the data falls due, at least `leadMs` later; undefined if it does not. */
  prepare(world: World, leadMs: number): Promise<number | undefined>;
  /** Extra flags of the server. Called after `prepare`. */
  flags?(): readonly string[];
  /** A note for the report. Called at the end. */
  note?(): string;
  /** Runs the stress. Resolves when it is over. */
  run(world: World, server: Server): Promise<void>;
  /**
   * For a stress whose callers keep this machine busy: starts a server that only reads. The figures without stress are
   * measured while the callers use this server, so that their own load is not charged to the measured server.
   */
  startSink?(): Promise<Server>;
}

export interface Figures extends SteadyFigures, TurnFigures {
  /** Peak of the resident memory in MB; undefined if the system does not report it. */
  readonly peakMb: number | undefined;
  readonly tookMs: number;
}

export interface Comparison {
  readonly name: string;
  readonly note: string | undefined;
  readonly alone: Figures;
  /** Figures, or the reason why there are none. */
  readonly beside: Figures | string;
}

/**
 * Measures on a copy of the world: first for `windowMs` alone, or beside the callers' load on the sink, and then for the
 * duration of the stress.
 */
export async function measureStress(stress: Stress, prepared: World, windowMs: number): Promise<Comparison> {
  const world = copyWorld(prepared);
  let load: SteadyLoad | undefined;
  let server: ProbedServer | undefined;
  let sink: Server | undefined;
  try {
    const dueAt = await stress.prepare(world, START_MS + WARM_UP_MS + windowMs);
    server = await startProbed(world, stress.flags?.());
    load = new SteadyLoad({ port: server.port, headers: world.sender, pace: SENDS_A_SECOND });
    await sleep(WARM_UP_MS);
    sink = await stress.startSink?.();
    const runAlone = () => (sink === undefined ? sleep(windowMs) : stress.run(world, sink));
    const alone = await observe(server, load, runAlone);
    await sink?.stop();
    if (dueAt !== undefined) await sleep(Math.max(0, dueAt - Date.now()));
    const beside = await observeOrTell(server, load, (probed) => stress.run(world, probed));
    return { name: stress.name, note: stress.note?.(), alone, beside };
  } finally {
    load?.stop();
    await server?.stop();
    await sink?.stop();
    rmSync(world.data, { recursive: true, force: true });
  }
}

/** Figures of the server and the load during `run`. */
async function observe(
  server: ProbedServer,
  load: SteadyLoad,
  run: (server: ProbedServer) => Promise<void>,
): Promise<Figures> {
  await server.beginTurns();
  forgetPeakMemory(server.pid);
  await load.beginWindow();
  const start = performance.now();
  await run(server);
  const tookMs = performance.now() - start;
  const sends = await load.endWindow();
  const turns = await server.readTurns();
  return { ...sends, ...turns, tookMs, peakMb: readPeakMb(server.pid) };
}

/** Returns the figures, or the reason why there are none if the server died. */
async function observeOrTell(...observed: Parameters<typeof observe>): Promise<Figures | string> {
  const [{ child }] = observed;
  try {
    return await observe(...observed);
  } catch (error) {
    // its connections end before the process exits
    await Promise.race([once(child, "exit"), sleep(EXIT_MS)]);
    if (child.exitCode === null && child.signalCode === null) throw error;
    return `the server ended: ${child.signalCode ?? `exit code ${child.exitCode}`}`;
  }
}
