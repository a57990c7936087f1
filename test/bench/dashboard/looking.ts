// The dashboard's cost to a server, with and without viewers.

import { join } from "node:path";
import { loadFrom, readResidentMb } from "../process.ts";
import type { SectionOutput } from "../section-output.ts";
import { type LoadSize, makeSend, measureRounds, median, prepareTenant, startMsgd, startOnCopy } from "../sends.ts";
import { mb, ms, percentile } from "./figures.ts";
import { measureUnseen } from "./unseen.ts";
import { acceptInvitation, inviteViewer, Viewer } from "./viewer.ts";

export interface LookingSizes extends LoadSize {
  readonly streams: number;
  /** Number of starts, with the dashboard and without. */
  readonly starts: number;
}

const LOSS_GOAL = 5;
const START_GOAL_MS = 20;
const IDLE_GOAL_MB = 5;
const body = makeSend("{recipient}");

export async function benchLooking(folder: string, sizes: LookingSizes, output: SectionOutput): Promise<void> {
  await benchUnseen(join(folder, "unseen"), sizes, output);
  await benchViewer(join(folder, "watched"), sizes, output);
  await benchStreams(join(folder, "streams"), sizes, output);
}

async function benchUnseen(data: string, sizes: LookingSizes, { print, printGoal }: SectionOutput): Promise<void> {
  print(`\nA server without viewers, with and without the dashboard: ${sizes.starts} starts each in turns, medians\n`);
  const { on, off } = await measureUnseen(data, sizes.starts);
  for (const [name, { startMs, idleMb }] of Object.entries({ with: on, without: off })) {
    print(`${name.padEnd(16)}ready after ${ms(startMs)} ms, ${mb(idleMb)} MB`);
  }
  const start = on.startMs - off.startMs;
  const idle = on.idleMb - off.idleMb;
  print("");
  printGoal("start, added", `${ms(start)} ms`, `≤ ${START_GOAL_MS} ms`, start <= START_GOAL_MS);
  printGoal("idle, added", `${mb(idle)} MB`, `≤ ${IDLE_GOAL_MB} MB`, idle <= IDLE_GOAL_MB);
}

async function benchViewer(prepared: string, sizes: LookingSizes, { print, printGoal }: SectionOutput): Promise<void> {
  print(`\nSends without and with a viewer: ${sizes.rounds} × ${sizes.seconds} s each in turns\n`);
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
  const [alone = [], beside = []] = await measureRounds(
    [
      { name: "no viewer", start: () => startOnCopy(prepared), headers, keys: "uuidv7", body },
      { name: "one viewer", start: startWatched, headers, keys: "uuidv7", body },
    ],
    sizes,
  );
  for (const { name, requestsPerSecond, p99Ms, cpuMicros, loadedMb } of [median(alone), median(beside)]) {
    const cost = `${cpuMicros?.toFixed(0)} µs of processor a send, ${loadedMb?.toFixed(0)} MB`;
    print(`${name.padEnd(16)}${requestsPerSecond.toFixed(0)} /s, p99 ${p99Ms.toFixed(2)} ms, ${cost}`);
  }
  const ratios = beside.map((seen, round) => seen.requestsPerSecond / (alone[round]?.requestsPerSecond ?? Number.NaN));
  const [low, middle, high] = [25, 50, 75].map((percent) => 100 * (1 - percentile(ratios, percent)));
  const loss = middle ?? Number.NaN;
  print(`\nround by round: ${low?.toFixed(1)}, ${loss.toFixed(1)} and ${high?.toFixed(1)} % fewer (quartiles)\n`);
  printGoal("cost of a viewer", `${loss.toFixed(1)} %`, `≤ ${LOSS_GOAL} %`, loss <= LOSS_GOAL);
}

async function benchStreams(data: string, sizes: LookingSizes, { print, printGoal }: SectionOutput): Promise<void> {
  print(`\n${sizes.streams} open views, each with a different search, during 500 sends a second\n`);
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
    print(`no views    p99 ${alone.p99Ms.toFixed(2)} ms, ${aloneMb.toFixed(0)} MB`);
    print(
      `with views  p99 ${beside.p99Ms.toFixed(2)} ms, ${besideMb.toFixed(0)} MB; ${told.size} views were updated, ${refused.count} refused`,
    );
    const times = beside.p99Ms / alone.p99Ms;
    print("");
    printGoal("p99 / alone", `${times.toFixed(1)} ×`, "≤ 3 ×", times <= 3);
  } finally {
    await server.stop();
  }
}
