// `npm run bench`: prints every figure as it was measured, and the ratios that the goals are about.
// `npm run bench -- <section> …` runs only these sections: sends, growth, dispatch, worlds, batch, turns, mails, sdk, cli,
// mocks, postgres, postgres-growth, snapshot, callbacks, carriers and dashboard, or its parts searches, looking and pages.
// `--quick` measures briefly. `--minutes=3` sets how long `snapshot` and `callbacks` hold a snapshot, and `--pace=600` the
// sends per second of `snapshot`.

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { measureBatches } from "./batch.ts";
import { measureBesideCampaign } from "./beside-campaign.ts";
import { benchCarriers } from "./carriers/section.ts";
import { benchCli } from "./cli/section.ts";
import { benchDashboard, dashboardParts } from "./dashboard/section.ts";
import { measureDispatch } from "./dispatch.ts";
import { measureGrowth } from "./growth.ts";
import type { LoadResult } from "./load.ts";
import { benchMocks } from "./mocks/section.ts";
import { benchCallbacks } from "./postgres/callbacks.ts";
import { benchPostgresGrowth } from "./postgres/growth.ts";
import { benchPostgres } from "./postgres/section.ts";
import { benchSnapshot } from "./postgres/snapshot.ts";
import { benchSdk } from "./sdk/section.ts";
import { describeMeasured, type Measured, measureSends } from "./sends.ts";
import { acceptedGoal, measureAccepted, measureSustained } from "./sustained-dispatch.ts";
import { benchMails, benchTurns } from "./turns/section.ts";
import { benchWorlds } from "./worlds.ts";
import { timeGoal } from "./yardstick.ts";

const { values: flags, positionals: asked } = readCommandLine();
const { quick } = flags;
const load = quick ? { seconds: 2, rounds: 1, connections: 50 } : { seconds: 6, rounds: 5, connections: 50 };
const rows = quick ? { messages: 100_000, consents: 100_000 } : { messages: 10_000_000, consents: 1_000_000 };
const turns = quick
  ? {
      windowMs: 3_000,
      consents: 50_000,
      calls: [3_200],
      batches: 1,
      events: 10_000,
      faults: { bytes: 256 * 1_024, atOnce: 2 },
      mailsMs: 10_000,
    }
  : {
      windowMs: 8_000,
      consents: 300_000,
      calls: [25_600, 40_000],
      batches: 3,
      events: 60_000,
      faults: { bytes: 2_048 * 1_024, atOnce: 10 },
      mailsMs: 60_000,
    };
const sdk = quick
  ? { imports: 5, calls: { processes: 1, rounds: 15, roundMs: 5, warmUpMs: 200 } }
  : { imports: 41, calls: { processes: 3, rounds: 60, roundMs: 10, warmUpMs: 500 } };
const cli = quick ? { rounds: 5, surveyRounds: 1, tabs: 20 } : { rounds: 41, surveyRounds: 7, tabs: 200 };
const dashboard = {
  ...load,
  // many rounds, because the differences to detect are smaller than those between two rounds
  rounds: quick ? 1 : 11,
  ...(quick
    ? { messages: 200_000, searches: 5, streams: 200, starts: 2, loads: 3, rows: 2_000 }
    : { messages: 10_000_000, searches: 40, streams: 1_000, starts: 8, loads: 8, rows: 10_000 }),
  pace: 5_000,
};
const snapshot = {
  minutes: readNumber("minutes") ?? (quick ? 3 : 10),
  secondsAMinute: quick ? 10 : 60,
  pace: readNumber("pace") ?? 600,
};
const mocks = quick ? { resets: 20, rounds: 1, roundMs: 1_000 } : { resets: 200, rounds: 7, roundMs: 2_000 };

/** Required deliveries per second: of an otherwise idle server, and of one that accepts as many sends per second. */
const DELIVERED_ALONE = 12_000;
const DELIVERED_BESIDE = 8_000;

const sections: Record<string, () => Promise<void>> = {
  sends: benchSends,
  growth: benchGrowth,
  dispatch: benchDispatch,
  worlds: () =>
    benchWorlds(quick ? { seeds: 500, rounds: 1, seconds: 4 } : { seeds: 10_000, rounds: 3, seconds: 8 }, {
      print,
      printGoal,
    }),
  batch: benchBatches,
  turns: () => benchTurns(turns, { print, printGoal }),
  mails: () => benchMails(turns, { print, printGoal }),
  sdk: () => benchSdk(sdk, { print, printGoal }),
  cli: () => benchCli(cli, { print, printGoal }),
  mocks: () => benchMocks(mocks, { print, printGoal }),
  postgres: () => benchPostgres(load, { print, printGoal }),
  "postgres-growth": () =>
    benchPostgresGrowth(rows, { ...load, rounds: Math.min(load.rounds, 3) }, { print, printGoal }),
  snapshot: () => benchSnapshot(snapshot, { print, printGoal }),
  dashboard: () => benchDashboard(dashboard, { print, printGoal }),
  ...Object.fromEntries(
    dashboardParts.map((name) => [name, () => benchDashboard(dashboard, { print, printGoal }, [name])]),
  ),
  callbacks: () => benchCallbacks(snapshot, { print, printGoal }),
  carriers: () =>
    benchCarriers({ print, printGoal }, quick ? { messages: 3_000, seconds: 4 } : { messages: 20_000, seconds: 20 }),
};
const unknown = asked.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) refuse(`expected ${Object.keys(sections).join(", ")}; received ${unknown.join(", ")}`);

const print = (line: string) => process.stdout.write(`${line}\n`);
if (flags.help) {
  print(
    `npm run bench -- [--quick] [--minutes=N] [--pace=N] [section …]\nSections: ${Object.keys(sections).join(", ")}`,
  );
  process.exit(0);
}
print(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`,
);
for (const [name, run] of Object.entries(sections)) {
  if (asked.length === 0 ? !dashboardParts.some((part) => part === name) : asked.includes(name)) await run();
}

function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: "boolean", default: false },
        minutes: { type: "string" },
        pace: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** Reads the value of a flag; undefined if absent. */
function readNumber(name: "minutes" | "pace"): number | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  return refuse(`--${name}: received ${given}; expected a whole number above 0`);
}

function refuse(fault: string): never {
  process.stderr.write(`bench: ${fault}\n`);
  process.exit(2);
}

async function benchSends(): Promise<void> {
  print(
    `\nSMS sends over HTTP: ${load.connections} connections, ${load.rounds} × ${load.seconds} s each in turns, median round\n`,
  );
  const measured = await measureSends(load);
  for (const line of describeMeasured(measured)) print(line);
  const msgd = find(measured, "msgd");
  const { requestsPerSecond } = msgd;
  const echo = find(measured, "fastify echo");
  const ofEcho = (100 * requestsPerSecond) / echo.requestsPerSecond;
  const ofPrism = requestsPerSecond / find(measured, "prism mock").requestsPerSecond;
  print("");
  printGoal("msgd / echo", `${ofEcho.toFixed(1)} %`, "≥ 40 %", ofEcho >= 40);
  printGoal("msgd / prism", `${ofPrism.toFixed(1)} ×`, "≥ 4 ×", ofPrism >= 4);
  // measured on 2026-11-20, in a run that met the goals
  const tail = timeGoal(6, { name: "the echo's p99", thenMs: 1.89, nowMs: echo.p99Ms });
  printGoal("p99", `${msgd.p99Ms.toFixed(2)} ms`, tail.said, msgd.p99Ms <= tail.mostMs);
  const ready = timeGoal(300, { name: "the echo's start", thenMs: 288, nowMs: echo.startMs });
  printGoal("start to ready", `${msgd.startMs.toFixed(0)} ms`, ready.said, msgd.startMs <= ready.mostMs);
  if (msgd.idleMb === undefined || msgd.loadedMb === undefined) return;
  printGoal("RSS idle", `${msgd.idleMb.toFixed(0)} MB`, "≤ 110 MB", msgd.idleMb <= 110);
  printGoal("RSS after load", `${msgd.loadedMb.toFixed(0)} MB`, "≤ 170 MB", msgd.loadedMb <= 170);
}

async function benchGrowth(): Promise<void> {
  print(
    `\nGrowth: ${rows.messages} messages with their keys, ${rows.consents} consents; the recipients are among these contacts\n`,
  );
  const { fillSeconds, databaseMb, empty, full } = await measureGrowth(rows, {
    ...load,
    rounds: Math.min(load.rounds, 3),
  });
  print(`filled in ${fillSeconds.toFixed(0)} s, ${databaseMb.toFixed(0)} MB`);
  for (const line of describeMeasured([empty, full])) print(line);
  const share = (100 * full.requestsPerSecond) / empty.requestsPerSecond;
  print("");
  printGoal("full / empty", `${share.toFixed(1)} %`, "≥ 90 %", share >= 90);
}

async function benchDispatch(): Promise<void> {
  const accepted = await measureAccepted(quick ? 4 : 8);
  const { claimsPerSecond, deliveredPerSecond } = await measureDispatch(quick ? 20_000 : 200_000);
  print(`\nDispatch by an otherwise idle server (it accepts up to ${accepted.toFixed(0)} sends a second)\n`);
  printGoal("claims", `${claimsPerSecond.toFixed(0)} /s`, "≥ 20000 /s", claimsPerSecond >= 20_000);
  const alone = acceptedGoal(DELIVERED_ALONE, accepted);
  const delivered = `${deliveredPerSecond.toFixed(0)} /s`;
  printGoal("to delivered", delivered, alone.said, deliveredPerSecond >= alone.leastPerSecond);
  const { leastPerSecond: goal, said } = acceptedGoal(DELIVERED_BESIDE, accepted);
  // slightly more than required
  const beside = await measureSustained({ pace: 1.02 * goal, seconds: quick ? 6 : 20 });
  print(`\nDispatch while ${beside.arrivedPerSecond.toFixed(0)} sends a second arrive\n`);
  const { deliveredPerSecond: kept, longestWaitMs, undelivered, p99Ms } = beside;
  print(`p99 of the sends  ${p99Ms.toFixed(2)} ms`);
  printGoal("to delivered", `${kept.toFixed(0)} /s`, said, kept >= goal);
  printGoal("longest wait", `${(longestWaitMs / 1_000).toFixed(1)} s`, "≤ 2 s", longestWaitMs <= 2_000);
  if (undelivered > 0) print(`${undelivered} of the sends were not delivered a minute later`);
  const campaign = quick ? 200_000 : 1_000_000;
  const waitMs = await measureBesideCampaign(campaign);
  print(`\nOne-time passwords during another tenant's campaign of ${campaign} messages\n`);
  printGoal("longest wait", `${waitMs.toFixed(0)} ms`, "≤ 1000 ms", waitMs <= 1_000);
}

async function benchBatches(): Promise<void> {
  const { acceptedMs, alone, beside } = await measureBatches({ batches: 3, seconds: quick ? 4 : 8 });
  const slowest = Math.max(...acceptedMs);
  print("\nBatches of 10000 calls, while 4 connections send SMS\n");
  printGoal("accepted within", `${slowest.toFixed(0)} ms`, "≤ 500 ms", slowest <= 500);
  print(`sends alone   ${describeLoad(alone)}`);
  print(`sends beside  ${describeLoad(beside)}`);
}

function describeLoad({ requests, seconds, p50Ms, p99Ms }: LoadResult): string {
  return `${(requests / seconds).toFixed(0)} /s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
}

function find(rows: readonly Measured[], name: string): Measured {
  const row = rows.find((measured) => measured.name === name);
  if (row === undefined) throw new Error(`${name} was not measured`);
  return row;
}

function printGoal(name: string, measured: string, goal: string, isMet: boolean): void {
  print(`${name.padEnd(16)}${measured.padEnd(14)}goal ${goal.padEnd(12)} ${isMet ? "met" : "NOT MET"}`);
}
