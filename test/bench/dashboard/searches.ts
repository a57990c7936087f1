// Measures searches of many messages, alone and while new messages arrive.

import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { loadFrom, type Server } from "../process.ts";
import { type SectionOutput, tableLines } from "../section-output.ts";
import { makeSend, prepareTenant, startMsgd } from "../sends.ts";
import { ms, percentile } from "./figures.ts";
import { addMessages, words } from "./messages.ts";
import { acceptInvitation, inviteViewer, Viewer } from "./viewer.ts";

export interface SearchSizes {
  readonly messages: number;
  /** Number of searches of each kind, alone, and again while messages arrive. */
  readonly searches: number;
  /** Messages that arrive per second. */
  readonly pace: number;
}

const PAGE_GOAL_MS = 50;
const body = makeSend("{recipient}");

export async function benchSearches(
  data: string,
  sizes: SearchSizes,
  { print, printGoal }: SectionOutput,
): Promise<void> {
  const headers = await prepareTenant(data);
  print(
    `\nSearches of ${sizes.messages} messages, a page of 50: how long a caller waits, and the server's part of that time\n`,
  );
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
      // an access token is valid for a quarter of an hour
      if (performance.now() - start > 600_000) viewer = await Viewer.signIn(port, invited.email);
    }
    viewer.leave();
    const seconds = (performance.now() - start) / 1_000;
    print(
      `indexed in ${seconds.toFixed(0)} s, ${(sizes.messages / seconds).toFixed(0)} /s; ${sizeMb(join(data, "msgd.db"))} MB and ${sizeMb(join(data, "search.db"))} MB`,
    );
    viewer = await Viewer.signIn(port, invited.email);
    const alone = await measureSearches(server, viewer, sizes.searches);

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
    const beside = await measureSearches(server, viewer, sizes.searches, () => isOver);
    const seen = delays.length;
    const arrived = await arriving;
    viewer.leave();
    const rows = [...alone].map(([name, times]) => {
      const others = beside.get(name) ?? [];
      return [
        name,
        ...[percentileOf(times, "waited", 50), percentileOf(times, "waited", 95), percentileOf(times, "server", 95)],
        ...[percentileOf(others, "waited", 50), percentileOf(others, "waited", 95), percentileOf(others, "server", 95)],
      ].map((each) => (typeof each === "number" ? ms(each) : each));
    });
    const head = ["search", "p50 ms", "p95", "server, p95", "beside: p50", "p95", "server, p95"];
    for (const line of tableLines(head, rows)) print(line);
    print(
      `\n${(arrived.requests / arrived.seconds).toFixed(0)} /s arrived (p99 ${arrived.p99Ms.toFixed(1)} ms); the view was told of ${seen} messages, ${ms(percentile(delays, 50))} ms after their acceptance, 95 % within ${ms(percentile(delays, 95))} ms\n`,
    );
    const slowest = slowestOf(alone, "server");
    const slowestBeside = slowestOf(beside, "server");
    print(`a caller waits: p95 ${ms(slowestOf(alone, "waited"))} ms, beside ${ms(slowestOf(beside, "waited"))} ms`);
    printGoal("page, p95", `${ms(slowest)} ms`, `≤ ${PAGE_GOAL_MS} ms`, slowest <= PAGE_GOAL_MS);
    printGoal("beside, p95", `${ms(slowestBeside)} ms`, `≤ ${PAGE_GOAL_MS} ms`, slowestBeside <= PAGE_GOAL_MS);
  } finally {
    await server.stop();
  }
}

/** Typical searches, with different values each time. */
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
    "a text that no message has": `"quartz quartz quartz" zebra`,
  };
}

/** Times in milliseconds. */
interface Taken {
  /** Time from the request to the whole reply. */
  readonly waited: number;
  /** The part from when the server has read the request until it has written the reply. */
  readonly server: number;
}

/** Times of each search, by kind. */
type Measured = ReadonlyMap<string, readonly Taken[]>;

async function measureSearches(
  { port }: Server,
  viewer: Viewer,
  count: number,
  isOver: () => boolean = () => false,
): Promise<Measured> {
  const measured = new Map<string, Taken[]>();
  for (let round = 0; round < count && !isOver(); round += 1) {
    for (const [name, q] of Object.entries(makeSearches())) {
      const before = await readServerMs(port);
      const start = performance.now();
      await viewer.search(q);
      const waited = performance.now() - start;
      const taken = { waited, server: (await readServerMs(port)) - before };
      measured.set(name, [...(measured.get(name) ?? []), taken]);
    }
  }
  return measured;
}

/** Reads from the server's metrics how long the server has spent on requests of the dashboard so far. */
async function readServerMs(port: number): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const sum = /^msgd_request_duration_seconds_sum\{operation="dashboard",status_class="2xx"\} (\S+)$/m.exec(page)?.[1];
  return Number(sum) * 1_000;
}

function percentileOf(taken: readonly Taken[], which: keyof Taken, percent: number): number {
  return percentile(
    taken.map((each) => each[which]),
    percent,
  );
}

/** The 95th percentile of the slowest kind of search. */
function slowestOf(measured: Measured, which: keyof Taken): number {
  return Math.max(...[...measured.values()].map((taken) => percentileOf(taken, which, 95)));
}

function sizeMb(file: string): string {
  return (statSync(file).size / 1_048_576).toFixed(0);
}
