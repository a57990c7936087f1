// One stress after the other, each on a server and data of its own: what the longest turn, another tenant's sends and memory
// are while nothing else happens, and what they are beside it.

import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { forgetPeakMemory, readPeakMb, type Server } from "../process.ts";
import type { TurnFigures } from "./probe.mjs";
import { type SteadyFigures, SteadyLoad } from "./steady-load.ts";
import { copyWorld, type ProbedServer, startProbed, type World } from "./world.ts";

/** Far from saturation, so that what waits waits for the stress. */
export const SENDS_A_SECOND = 250;
const WARM_UP_MS = 2_000;
/** More than a start takes on a busy machine. */
const START_MS = 6_000;
/** From the last connection of a process that dies until it is dead. */
const EXIT_MS = 1_000;

export interface Stress {
  readonly name: string;
  /** Fills the data of a stopped server. Gives when what it made falls due, `leadMs` or more from then, where it does. */
  prepare(world: World, leadMs: number): Promise<number | undefined>;
  /** What the server is started with, besides. Asked after `prepare`. */
  flags?(): readonly string[];
  /** What is told of it once it is over. */
  note?(): string;
  /** Resolves when it is over. */
  run(world: World, server: Server): Promise<void>;
  /**
   * For one whose callers keep this machine busy: starts a server that only reads. Sends alone are measured while the callers
   * ask that, so that what they take of the machine is no cost of the measured server's.
   */
  startSink?(): Promise<Server>;
}

export interface Figures extends SteadyFigures, TurnFigures {
  /** The most of resident memory, in MB; undefined where the system does not tell. */
  readonly peakMb: number | undefined;
  readonly tookMs: number;
}

export interface Comparison {
  readonly name: string;
  readonly note: string | undefined;
  readonly alone: Figures;
  /** In place of figures, why there are none. */
  readonly beside: Figures | string;
}

/** Measures, on a copy of the world, for `windowMs` alone, or beside the callers, and then for as long as the stress takes. */
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

/** What the server and the load came to while `run` was under way. */
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

/** A server that dies is a result too. */
async function observeOrTell(...observed: Parameters<typeof observe>): Promise<Figures | string> {
  const [{ child }] = observed;
  try {
    return await observe(...observed);
  } catch (error) {
    // its connections end before it does
    await Promise.race([once(child, "exit"), sleep(EXIT_MS)]);
    if (child.exitCode === null && child.signalCode === null) throw error;
    return `the server ended: ${child.signalCode ?? `exit code ${child.exitCode}`}`;
  }
}
