// Sends at a steady rate, in a separate process; each send is timed from its scheduled start. If the server stalls, sends
// continue to arrive, as from many callers, and all of them are late. A closed loop would pause with the server, and record
// one late reply instead of hundreds.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createHistogram } from "node:perf_hooks";
import { makeSend } from "../sends.ts";

export interface SteadyPlan {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends per second. */
  readonly pace: number;
}

/** Figures of the sends that began within a window. */
export interface SteadyFigures {
  readonly sends: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** Replies other than 200, by status; `none` if the connection ended before one. */
  readonly failures: Readonly<Record<string, number>>;
}

const CONNECTIONS = 64;
const NANOSECONDS_PER_MS = 1e6;
const body = makeSend("+12025550100");

/** The controlling side of the load. */
export class SteadyLoad {
  readonly #child: ChildProcess;

  constructor(plan: SteadyPlan) {
    this.#child = fork(new URL(import.meta.url), [JSON.stringify(plan)], { execArgv: ["--import", "tsx"] });
  }

  /** Begins a window. Sends from earlier windows are not counted in it. */
  async beginWindow(): Promise<void> {
    this.#child.send("begin");
    await once(this.#child, "message");
  }

  /** Waits for the outstanding replies of the window's sends. */
  async endWindow(): Promise<SteadyFigures> {
    this.#child.send("end");
    const [figures] = await once(this.#child, "message");
    return figures as SteadyFigures;
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}

class Window {
  readonly #latency = createHistogram();
  readonly #failures: Record<string, number> = {};
  readonly #open = new Set<Promise<void>>();

  send(plan: SteadyPlan, agent: Agent): void {
    const start = process.hrtime.bigint();
    const sent = exchange(plan, agent).then((status) => {
      this.#latency.record(Math.max(1, Number(process.hrtime.bigint() - start)));
      if (status !== "200") this.#failures[status] = (this.#failures[status] ?? 0) + 1;
      this.#open.delete(sent);
    });
    this.#open.add(sent);
  }

  async finish(): Promise<SteadyFigures> {
    await Promise.all(this.#open);
    const latency = this.#latency;
    return {
      sends: latency.count,
      p99Ms: latency.percentile(99) / NANOSECONDS_PER_MS,
      longestMs: latency.max / NANOSECONDS_PER_MS,
      failures: this.#failures,
    };
  }
}

/** Sends one message and reads the whole reply; returns the status. */
function exchange({ port, headers }: SteadyPlan, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        agent,
        host: "127.0.0.1",
        path: "/api/v1/messages/sms",
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "idempotency-key": crypto.randomUUID(),
        },
      },
      (response) => {
        response.resume();
        response.on("close", () => resolve(String(response.statusCode)));
      },
    );
    sent.on("error", () => resolve("none"));
    sent.end(body);
  });
}

/** Sends forever: after each wait, all sends that have become due. */
function sendSteadily(plan: SteadyPlan): void {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let window = new Window();
  let sends = 0;
  const start = performance.now();
  setInterval(() => {
    const due = ((performance.now() - start) * plan.pace) / 1_000;
    for (; sends < due; sends += 1) window.send(plan, agent);
  }, 1);
  process.on("message", async (asked) => {
    const over = window;
    window = new Window();
    process.send?.(asked === "end" ? await over.finish() : "begun");
  });
  // the parent process has exited
  process.on("disconnect", () => process.exit(1));
}

const [plan] = process.argv.slice(2);
if (plan !== undefined && process.send !== undefined) sendSteadily(JSON.parse(plan));
