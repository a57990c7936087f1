// `npm run bench -- turns`: checks that event loop turns stay short, whatever one tenant stores, requests or receives.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SectionOutput } from "../section-output.ts";
import { acceptBatches, beginMorning } from "./calls.ts";
import { sendFaults } from "./faults.ts";
import { goneReceiver } from "./gone-receiver.ts";
import { bringMails } from "./hostile-mails.ts";
import { readLists } from "./lists.ts";
import { type Comparison, type Figures, measureStress, SENDS_A_SECOND, type Stress } from "./measure.ts";
import { makeWorld } from "./world.ts";

export interface TurnSizes {
  readonly windowMs: number;
  readonly consents: number;
  /** Number of calls of each morning. */
  readonly calls: readonly number[];
  readonly batches: number;
  readonly events: number;
  /** Duration of the hostile mails. */
  readonly mailsMs: number;
  readonly faults: { readonly bytes: number; readonly atOnce: number };
}

const LONGEST_TURN_MS = 25;
const MOST_TIMES_ALONE = 3;
const MOST_GROWTH_MB = 64;

/** Measures and prints each stress, and compares the worst figures with the goals. */
export function benchTurns(sizes: TurnSizes, output: SectionOutput): Promise<void> {
  return benchStresses(stressesOf(sizes), sizes.windowMs, output);
}

/** Does the same with hostile emails at the bounce listener. */
export function benchMails({ windowMs, mailsMs }: TurnSizes, output: SectionOutput): Promise<void> {
  return benchStresses([bringMails({ windowMs: mailsMs })], windowMs, output);
}

async function benchStresses(
  stresses: readonly Stress[],
  windowMs: number,
  { print, printGoal }: SectionOutput,
): Promise<void> {
  print(
    "\nThe longest turn of the event loop, the sends of another tenant and memory, alone and beside what one tenant",
  );
  print(`may do; a turn is the main thread's time on a processor, and ${SENDS_A_SECOND} sends begin each second\n`);
  const measured: Comparison[] = [];
  print(line(columns));
  const folder = mkdtempSync(join(tmpdir(), "msgd-turns-"));
  try {
    const world = await makeWorld(folder);
    for (const stress of stresses) {
      const comparison = await measureStress(stress, world, windowMs);
      if (measured.length === 0) printRow("alone", comparison.alone, comparison.alone);
      printRow(comparison.name, comparison.beside, comparison.alone);
      if (comparison.note !== undefined) print(`  ${comparison.note}`);
      measured.push(comparison);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  print("");
  const worst = (of: (comparison: Comparison) => number) => Math.max(...measured.map(of));
  const turn = worst(({ beside }) => (typeof beside === "string" ? Infinity : turnMs(beside)));
  const times = worst(({ beside, alone }) => (typeof beside === "string" ? Infinity : beside.p99Ms / alone.p99Ms));
  const growth = worst(({ beside, alone }) => (typeof beside === "string" ? Infinity : growthMb(beside, alone)));
  printGoal("longest turn", `${turn.toFixed(0)} ms`, `≤ ${LONGEST_TURN_MS} ms`, turn <= LONGEST_TURN_MS);
  printGoal("p99 / alone", `${times.toFixed(1)} ×`, `≤ ${MOST_TIMES_ALONE} ×`, times <= MOST_TIMES_ALONE);
  printGoal("RSS growth", `${growth.toFixed(0)} MB`, `≤ ${MOST_GROWTH_MB} MB`, growth <= MOST_GROWTH_MB);

  function printRow(name: string, figures: Figures | string, alone: Figures): void {
    const cells = typeof figures === "string" ? [figures] : cellsOf(figures, alone);
    print(line([name, ...cells]));
    if (typeof figures === "string" || Object.keys(figures.failures).length === 0) return;
    print(`  sends answered other than 200: ${JSON.stringify(figures.failures)}`);
  }
}

/** Names on the left, figures on the right. */
function line(cells: readonly string[]): string {
  return cells.map((cell, column) => (column === 0 ? cell.padEnd(38) : cell.padStart(11))).join("");
}

const columns = ["beside", "turn ms", "of wall ms", "p99 ms", "× alone", "longest ms", "RSS + MB", "sends", "took s"];

function cellsOf(figures: Figures, alone: Figures): string[] {
  return [
    turnMs(figures).toFixed(1),
    figures.longestBusyMs.toFixed(1),
    figures.p99Ms.toFixed(2),
    (figures.p99Ms / alone.p99Ms).toFixed(1),
    figures.longestMs.toFixed(0),
    growthMb(figures, alone).toFixed(0),
    String(figures.sends),
    (figures.tookMs / 1_000).toFixed(1),
  ];
}

/** CPU time; wall-clock time if the system does not report that. */
function turnMs({ longestCpuMs, longestBusyMs }: Figures): number {
  return Number.isFinite(longestCpuMs) ? longestCpuMs : longestBusyMs;
}

function growthMb({ peakMb }: Figures, alone: Figures): number {
  return peakMb === undefined || alone.peakMb === undefined ? Number.NaN : peakMb - alone.peakMb;
}

function stressesOf({ windowMs, consents, calls, batches, events, faults }: TurnSizes): Stress[] {
  return [
    readLists({ consents, clients: 1, reads: true, windowMs }),
    readLists({ consents, clients: 1, reads: false, windowMs }),
    readLists({ consents, clients: 12, reads: false, windowMs }),
    ...calls.map((count) => beginMorning({ calls: count })),
    acceptBatches({ batches }),
    goneReceiver({ events }),
    ...sendFaults({ ...faults, windowMs }),
  ];
}
