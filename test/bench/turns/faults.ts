// The largest accepted bodies, filled with validation errors.

import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { startServer } from "../process.ts";
import type { Stress } from "./measure.ts";
import { discardBody } from "./world.ts";

const around = { merchantId: "bench", messageText: "Your code is 481516.", useCase: "OTP" };
/** Maximum number of calls in one batch. */
const LARGEST_BATCH = 10_000;
/** Maximum number of members of an object. A body with more is refused before it is parsed. */
const MOST_MEMBERS = 11_900;

/** Fillings of a body. All are cheap to send. Each is expensive for a different part of the server. */
const fillings: Readonly<Record<string, (bytes: number) => string>> = {
  items: (bytes) => fill(bytes, '"toNumbers":[', "0,", "0]"),
  emoji: (bytes) => fill(bytes, '"purpose":"', "😀", '"'),
  "long numbers"(bytes) {
    const digits = "1".repeat(Math.floor(bytes / LARGEST_BATCH) - 20);
    const toNumbers = Array.from({ length: LARGEST_BATCH }, (_, index) => `+${digits}${index}`);
    return JSON.stringify({ ...around, toNumbers });
  },
  "long names"(bytes) {
    const name = "n".repeat(Math.floor(bytes / MOST_MEMBERS) - 20);
    return JSON.stringify(Object.fromEntries(Array.from({ length: MOST_MEMBERS }, (_, index) => [name + index, 0])));
  },
};

/** A body of at most `bytes` in which `piece` is repeated. */
function fill(bytes: number, open: string, piece: string, close: string): string {
  const [start, end] = [`${JSON.stringify(around).slice(0, -1)},${open}`, `${close}}`];
  const room = bytes - Buffer.byteLength(start) - Buffer.byteLength(end);
  return start + piece.repeat(Math.floor(room / Buffer.byteLength(piece))) + end;
}

interface FaultPlan {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly filling: string;
  readonly bytes: number;
  readonly atOnce: number;
  readonly windowMs: number;
}

/**
 * For each filling, sends `atOnce` parallel requests with bodies of `bytes` bytes, at most 2 MiB, and repeats that for
 * `windowMs`.
 */
export function sendFaults(size: { bytes: number; atOnce: number; windowMs: number }): Stress[] {
  return Object.keys(fillings).map((filling) => ({
    name: `${size.atOnce} × ${size.bytes / 1_024} KiB of ${filling}`,
    prepare: async () => undefined,
    run: ({ crowd }, { port }) => runPlan({ ...size, port, headers: crowd, filling }),
    startSink: () => startServer(["--import", "tsx", fileURLToPath(new URL("sink.ts", import.meta.url))]),
  }));
}

/** Runs in a separate process with the lowest priority, because real callers run on other machines. */
async function runPlan(plan: FaultPlan): Promise<void> {
  const child = fork(new URL(import.meta.url), [JSON.stringify(plan)], { execArgv: ["--import", "tsx"] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the sender of ${plan.filling} ended with ${code}`);
}

async function sendAll({ port, headers, filling, bytes, atOnce, windowMs }: FaultPlan): Promise<void> {
  const body = Buffer.from(fillings[filling]?.(bytes) ?? "");
  const send = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/voice/tts-calls`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    await discardBody(reply);
    if (reply.status !== 400) throw new Error(`faults were answered with ${reply.status}`);
  };
  const end = performance.now() + windowMs;
  do await Promise.all(Array.from({ length: atOnce }, send));
  while (performance.now() < end);
}

const [plan] = process.argv.slice(2);
if (plan !== undefined && process.send !== undefined) {
  await sendAll(JSON.parse(plan));
  process.disconnect();
}
