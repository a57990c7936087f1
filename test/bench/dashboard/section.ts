// `npm run bench -- dashboard`: searches of many messages, alone and while others arrive, and what looking costs those who send.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadFrom, readResidentMb } from "../process.ts";
import { type SectionOutput, tableLines } from "../section-output.ts";
import { type LoadSize, makeSend, measureInTurns, prepareTenant, startMsgd, startOnCopy } from "../sends.ts";
import { addMessages, words } from "./messages.ts";
import { measureUnseen } from "./unseen.ts";
import { acceptInvitation, inviteViewer, Viewer } from "./viewer.ts";

export interface DashboardSizes extends LoadSize {
  readonly messages: number;
  /** Of each kind, alone and beside what arrives. */
  readonly searches: number;
  /** Messages a second that arrive. */
  readonly pace: number;
  readonly streams: number;
  /** Of a server with the dashboard, and of one without. */
  readonly starts: number;
}

const PAGE_GOAL_MS = 50;
const LOSS_GOAL = 5;
const START_GOAL_MS = 20;
const IDLE_GOAL_MB = 5;
const body = makeSend("{recipient}");

export async function benchDashboard(sizes: DashboardSizes, output: SectionOutput): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-dashboard-"));
  try {
    await benchSearches(join(folder, "many"), sizes, output);
    await benchUnseen(join(folder, "unseen"), sizes, output);
    await benchViewer(join(folder, "watched"), sizes, output);
    await benchStreams(join(folder, "streams"), sizes, output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchSearches(data: string, sizes: DashboardSizes, { print, printGoal }: SectionOutput): Promise<void> {
  const headers = await prepareTenant(data);
  print(`\nSearches of ${sizes.messages} messages, a page of 50, from the request to the whole reply\n`);
  addMessages(data, sizes.messages);
  const invited = inviteViewer(data);
  const server = await startMsgd(data);
  try {
    const { port } = server;
    await acceptInvitation(port, invited);
    let viewer = await Viewer.signIn(port, invited.email);
    const start = performance.now();
    await viewer.follow("");
    while (!(await viewer.search("")).isComplete) {
      await setTimeout(1_000);
      // a token lasts a quarter of an hour
      if (performance.now() - start > 600_000) viewer = await Viewer.signIn(port, invited.email);
    }
    viewer.leave();
    const seconds = (performance.now() - start) / 1_000;
    print(
      `indexed in ${seconds.toFixed(0)} s, ${(sizes.messages / seconds).toFixed(0)} /s; ${sizeMb(join(data, "msgd.db"))} MB and ${sizeMb(join(data, "search.db"))} MB`,
    );
    viewer = await Viewer.signIn(port, invited.email);
    const alone = await measureSearches(viewer, sizes.searches);

    const delays: number[] = [];
    await viewer.follow("channel:sms type:otp merchant:bench", ({ messages }) => {
      for (const { createdAt } of messages) delays.push(Date.now() - Date.parse(createdAt));
    });
    const load = {
      ...({ port, path: "/api/v1/messages/sms", headers, body, keys: "uuidv7", connections: 50 } as const),
      pace: sizes.pace,
    };
    let isOver = false;
    const arriving = loadFrom({ ...load, seconds: 15 + sizes.searches }).finally(() => {
      isOver = true;
    });
    await setTimeout(5_000);
    delays.length = 0;
    const beside = await measureSearches(viewer, sizes.searches, () => isOver);
    const seen = delays.length;
    const arrived = await arriving;
    viewer.leave();
    const rows = [...alone].map(([name, times]) => {
      const others = beside.get(name) ?? [];
      return [
        name,
        ms(percentile(times, 50)),
        ms(Math.max(...times)),
        ms(percentile(others, 50)),
        ms(percentile(others, 95)),
        ms(Math.max(...others)),
      ];
    });
    for (const line of tableLines(["search", "p50 ms", "longest", "p50 beside", "p95 beside", "longest"], rows))
      print(line);
    print(
      `\n${(arrived.requests / arrived.seconds).toFixed(0)} /s arrived (p99 ${arrived.p99Ms.toFixed(1)} ms); the view was told of ${seen} messages, ${ms(percentile(delays, 50))} ms after their acceptance, 95 % within ${ms(percentile(delays, 95))} ms\n`,
    );
    const slowest = Math.max(...[...alone.values()].map((times) => percentile(times, 95)));
    const slowestBeside = Math.max(...[...beside.values()].map((times) => percentile(times, 95)));
    printGoal("page, p95", `${ms(slowest)} ms`, `≤ ${PAGE_GOAL_MS} ms`, slowest <= PAGE_GOAL_MS);
    printGoal("beside, p95", `${ms(slowestBeside)} ms`, `≤ ${PAGE_GOAL_MS} ms`, slowestBeside <= PAGE_GOAL_MS);
  } finally {
    await server.stop();
  }
}

/** What people look for, each with values of its own. */
function makeSearches(): Record<string, string> {
  const number = Math.floor(Math.random() * 10_000_000);
  const to = `+1202${String(number % 1_000_000).padStart(7, "0")}`;
  const word = (from: number) => words[from + (number % (words.length - from))] ?? "";
  const day = (days: number) => new Date(Date.UTC(2025, 0, 1) + days * 86_400_000).toISOString().slice(0, 10);
  return {
    all: "",
    "a number": `to:${to}`,
    "the beginning of one": `to:${to.slice(0, 8)}`,
    "failed of a merchant": `merchant:m${number % 40} status:undelivered`,
    "a channel and a type": "channel:email type:marketing",
    "a reason and a day": `reason:unreachable after:${day(number % 300)} before:${day((number % 300) + 1)}`,
    "a common word": word(0),
    "a rare word": word(15),
    "a phrase": `"${word(0)} ${word(3)}"`,
    "words of a channel, not a type": `${word(4)} ${word(9)} channel:sms -type:otp`,
    "a text nobody wrote": `"quartz quartz quartz" zebra`,
  };
}

async function measureSearches(
  viewer: Viewer,
  count: number,
  isOver: () => boolean = () => false,
): Promise<Map<string, number[]>> {
  const measured = new Map<string, number[]>();
  for (let round = 0; round < count && !isOver(); round += 1) {
    for (const [name, q] of Object.entries(makeSearches())) {
      const start = performance.now();
      await viewer.search(q);
      const took = performance.now() - start;
      measured.set(name, [...(measured.get(name) ?? []), took]);
    }
  }
  return measured;
}

async function benchUnseen(data: string, sizes: DashboardSizes, { print, printGoal }: SectionOutput): Promise<void> {
  print(`\nA server that nobody looks at, with it and without it: ${sizes.starts} starts each in turns, medians\n`);
  const { on, off } = await measureUnseen(data, sizes.starts);
  const start = on.startMs - off.startMs;
  const idle = on.idleMb - off.idleMb;
  const [started, resting] = [
    `${ms(on.startMs)} and ${ms(off.startMs)} ms`,
    `${mb(on.idleMb)} and ${mb(off.idleMb)} MB`,
  ];
  printGoal("start", started, `≤ ${START_GOAL_MS} ms more`, start <= START_GOAL_MS);
  printGoal("idle memory", resting, `≤ ${IDLE_GOAL_MB} MB more`, idle <= IDLE_GOAL_MB);
}

async function benchViewer(
  prepared: string,
  sizes: DashboardSizes,
  { print, printGoal }: SectionOutput,
): Promise<void> {
  print(`\nSends while somebody looks: ${sizes.rounds} × ${sizes.seconds} s each in turns, median round\n`);
  const headers = await prepareTenant(prepared);
  const invited = inviteViewer(prepared);
  const first = await startMsgd(prepared);
  await acceptInvitation(first.port, invited);
  await first.stop();
  const startWatched = async () => {
    const server = await startOnCopy(prepared);
    const viewer = await Viewer.signIn(server.port, invited.email);
    await viewer.follow("channel:sms type:otp");
    const searching = setInterval(() => void viewer.search("status:failed").catch(() => {}), 1_000);
    return {
      ...server,
      stop() {
        clearInterval(searching);
        viewer.leave();
        return server.stop();
      },
    };
  };
  const [unseen, seen] = await measureInTurns(
    [
      { name: "nobody looks", start: () => startOnCopy(prepared), headers, keys: "uuidv7", body },
      { name: "somebody looks", start: startWatched, headers, keys: "uuidv7", body },
    ],
    sizes,
  );
  if (unseen === undefined || seen === undefined) throw new Error("nothing was measured");
  for (const { name, requestsPerSecond, p99Ms, loadedMb } of [unseen, seen]) {
    print(
      `${name.padEnd(16)}${requestsPerSecond.toFixed(0)} /s, p99 ${p99Ms.toFixed(2)} ms, ${loadedMb?.toFixed(0)} MB`,
    );
  }
  const loss = 100 * (1 - seen.requestsPerSecond / unseen.requestsPerSecond);
  print("");
  printGoal("cost of looking", `${loss.toFixed(1)} %`, `≤ ${LOSS_GOAL} %`, loss <= LOSS_GOAL);
}

async function benchStreams(data: string, sizes: DashboardSizes, { print, printGoal }: SectionOutput): Promise<void> {
  print(`\n${sizes.streams} open views, each with a search of its own, beside 500 sends a second\n`);
  const headers = await prepareTenant(data);
  const invited = inviteViewer(data);
  const server = await startMsgd(data);
  try {
    const { port, pid } = server;
    await acceptInvitation(port, invited);
    const plan = { port, path: "/api/v1/messages/sms", headers, body, keys: "uuidv7", connections: 10 } as const;
    const send = () => loadFrom({ ...plan, pace: 500, seconds: sizes.seconds });
    await send();
    const alone = await send();
    const aloneMb = readResidentMb(pid) ?? 0;
    const viewer = await Viewer.signIn(port, invited.email);
    const told = new Set<number>();
    const refused = { count: 0 };
    for (let number = 0; number < sizes.streams; number += 1) {
      const q = `to:+1202${String(number % 10)} -type:marketing "code is ${number % 7 === 0 ? "481516" : "4815162342"}"`;
      await viewer
        .follow(number % 2 === 0 ? "" : q, () => told.add(number))
        .catch(() => {
          refused.count += 1;
        });
    }
    const beside = await send();
    const besideMb = readResidentMb(pid) ?? 0;
    viewer.leave();
    print(`alone   p99 ${alone.p99Ms.toFixed(2)} ms, ${aloneMb.toFixed(0)} MB`);
    print(
      `beside  p99 ${beside.p99Ms.toFixed(2)} ms, ${besideMb.toFixed(0)} MB; ${told.size} views were told, ${refused.count} refused`,
    );
    const times = beside.p99Ms / alone.p99Ms;
    print("");
    printGoal("p99 / alone", `${times.toFixed(1)} ×`, "≤ 3 ×", times <= 3);
  } finally {
    await server.stop();
  }
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function mb(value: number): string {
  return value.toFixed(1);
}

function sizeMb(file: string): string {
  return (statSync(file).size / 1_048_576).toFixed(0);
}
