// Calls on PostgreSQL at a steady rate, with a callback for each event of each call: first alone, then beside a transaction
// that holds a snapshot.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SectionOutput } from "../section-output.ts";
import { tableLines } from "../section-output.ts";
import { prepareTenant, startMsgd } from "../sends.ts";
import { createDatabase, startDurable } from "./databases.ts";
import { OldSnapshot } from "./old-snapshot.ts";
import type { SnapshotSize } from "./snapshot.ts";

/** Calls per second. Each makes six callbacks. */
const PACE = 20;
const ALONE_MINUTES = 2;

/** Figures of one minute. */
interface Minute {
  readonly callbacksPerSecond: number;
  /** Number of undelivered callbacks at the end of the minute. */
  readonly pending: number;
}

export async function benchCallbacks(
  { minutes, secondsAMinute }: SnapshotSize,
  { print, printGoal }: SectionOutput,
): Promise<void> {
  const span = secondsAMinute === 60 ? "minutes" : `minutes of ${secondsAMinute} s`;
  print(`\nCallbacks of ${PACE} calls a second on PostgreSQL, beside an open snapshot: ${minutes} ${span}\n`);
  const { alone, beside } = await measure({ minutes, secondsAMinute });
  const figures = ({ callbacksPerSecond, pending }: Minute) => [callbacksPerSecond.toFixed(0), String(pending)];
  const rows = [
    ...alone.map((minute, index) => [`alone, minute ${index + 1}`, ...figures(minute)]),
    ...beside.map((minute, index) => [`beside, minute ${index + 1}`, ...figures(minute)]),
  ];
  for (const line of tableLines(["", "callbacks /s", "pending"], rows)) print(line);
  print("");
  const rate = (of: readonly Minute[]) => of.reduce((sum, each) => sum + each.callbacksPerSecond, 0) / of.length;
  const kept = (100 * rate(beside.slice(-ALONE_MINUTES))) / rate(alone);
  printGoal("last / alone", `${kept.toFixed(1)} %`, "≥ 80 %", kept >= 80);
}

async function measure({
  minutes,
  secondsAMinute,
}: Pick<SnapshotSize, "minutes" | "secondsAMinute">): Promise<{ alone: Minute[]; beside: Minute[] }> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-bench-callbacks-"));
  const postgres = await startDurable();
  const receiver = await openReceiver();
  try {
    const url = await createDatabase(postgres, "callbacks");
    const env = {
      DATABASE_URL: url,
      MSGD_SECRET_KEY: randomBytes(32).toString("base64"),
      MSGD_SEARCH_FOLDER: join(folder, "indexes"),
      MSGD_ALLOW_PRIVATE_CALLBACKS: "true",
      MSGD_CONSENT_POLICY: "opt_out_only",
    };
    const headers = await prepareTenant(join(folder, "none"), env);
    const server = await startMsgd(join(folder, "none"), env);
    try {
      const load = new CallLoad(`http://127.0.0.1:${server.port}`, headers, receiver.url);
      const run = async (count: number) => {
        const measured: Minute[] = [];
        for (let minute = 0; minute < count; minute += 1) {
          const [before, start] = [receiver.count(), performance.now()];
          await sleep(1_000 * secondsAMinute);
          const perSecond = (1_000 * (receiver.count() - before)) / (performance.now() - start);
          measured.push({ callbacksPerSecond: perSecond, pending: await readPending(server.port) });
        }
        return measured;
      };
      load.start();
      try {
        // waits until calls end as fast as they begin
        await sleep(15_000);
        const alone = await run(ALONE_MINUTES);
        const snapshot = await OldSnapshot.hold(url);
        try {
          return { alone, beside: await run(minutes) };
        } finally {
          await snapshot.end();
        }
      } finally {
        await load.stop();
      }
    } finally {
      await server.stop();
    }
  } finally {
    receiver.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A receiver on this machine that answers at once, and counts callbacks. */
async function openReceiver(): Promise<{ url: string; count: () => number; close: () => void }> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      count += 1;
      response.end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/calls`, count: () => count, close: () => server.close() };
}

/** Creates a batch of calls each second, to numbers that answer. */
class CallLoad {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #callbackUrl: string;
  #timer: NodeJS.Timeout | undefined;
  #calls = 0;
  #failure: unknown;
  #underWay: Promise<void> = Promise.resolve();

  constructor(baseUrl: string, headers: Readonly<Record<string, string>>, callbackUrl: string) {
    this.#url = `${baseUrl}/api/v1/voice/tts-calls`;
    this.#headers = { ...headers, "Content-Type": "application/json" };
    this.#callbackUrl = callbackUrl;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#underWay = this.#submit().catch((error: unknown) => {
        this.#failure ??= error;
      });
    }, 1_000);
  }

  /** Rejects with the reason if a batch was refused. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#underWay;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #submit(): Promise<void> {
    // no number ends with the digits of a test number of the simulator
    const toNumbers = Array.from(
      { length: PACE },
      (_, index) => `+1202${2_000_000 + ((this.#calls + index) % 900_000)}`,
    );
    this.#calls += PACE;
    const body = { merchantId: "bench", messageText: "Your code is 481516.", useCase: "OTP", toNumbers };
    const reply = await fetch(this.#url, {
      method: "POST",
      headers: this.#headers,
      body: JSON.stringify({ ...body, callbackUrl: this.#callbackUrl }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`a batch was refused: ${text.slice(0, 500)}`);
  }
}

async function readPending(port: number): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^msgd_callbacks_pending (\S+)$/m.exec(page)?.[1] ?? Number.NaN);
}
