// A closed-loop HTTP/1.1 load on raw sockets, in a separate process. A general HTTP client uses more CPU per request than the
// measured servers, so the result would mostly show the client's cost.

import { connect, type Socket } from "node:net";
import { createHistogram } from "node:perf_hooks";

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `{recipient}` is replaced by another phone number in each request: +12020000000 and the next million. */
  readonly body: string;
  /** Kind of each request's new Idempotency-Key: `uuidv7` as the SDK makes them, or `random`. @default no key */
  readonly keys?: "uuidv7" | "random";
  readonly connections: number;
  /** Requests per second of all connections together. @default no limit */
  readonly pace?: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Replies other than 200, by status. */
  readonly failures: Readonly<Record<string, number>>;
}

const NANOSECONDS_PER_MS = 1e6;

export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const latency = createHistogram();
  const failures: Record<string, number> = {};
  const start = process.hrtime.bigint();
  const end = start + BigInt(Math.round(plan.seconds * 1e9));
  let requests = 0;

  await Promise.all(
    Array.from({ length: plan.connections }, () =>
      keepAsking(plan, end, (status, nanoseconds) => {
        requests += 1;
        latency.record(Math.max(1, nanoseconds));
        if (status !== "200") failures[status] = (failures[status] ?? 0) + 1;
      }),
    ),
  );
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  return {
    requests,
    seconds,
    p50Ms: latency.percentile(50) / NANOSECONDS_PER_MS,
    p99Ms: latency.percentile(99) / NANOSECONDS_PER_MS,
    maxMs: latency.max / NANOSECONDS_PER_MS,
    failures,
  };
}

/** One connection: the next request is sent once the last reply is complete and the pace allows it. */
function keepAsking(plan: LoadPlan, end: bigint, done: (status: string, nanoseconds: number) => void): Promise<void> {
  const [before = "", after] = plan.body.split("{recipient}");
  const makeBody = after === undefined ? () => before : () => `${before}${makeRecipient()}${after}`;
  const fixed = [
    `POST ${plan.path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(makeBody())}`,
    ...Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}`),
  ].join("\r\n");
  let sentAt = 0n;
  const intervalMs = plan.pace === undefined ? 0 : (1_000 * plan.connections) / plan.pace;
  // spread over the first interval, so that the connections do not all send at once
  let turnAt = performance.now() + Math.random() * intervalMs;

  const ask = (socket: Socket) => {
    const key = plan.keys === undefined ? "" : `\r\nIdempotency-Key: ${makeKey(plan.keys)}`;
    sentAt = process.hrtime.bigint();
    socket.write(`${fixed}${key}\r\n\r\n${makeBody()}`);
  };

  return new Promise((resolve, reject) => {
    const socket = connect(plan.port, "127.0.0.1", () => ask(socket));
    let received = "";
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      const bodyAt = received.indexOf("\r\n\r\n") + 4;
      if (bodyAt < 4) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < bodyAt + length) return;
      const now = process.hrtime.bigint();
      done(received.slice(9, 12), Number(now - sentAt));
      received = "";
      turnAt += intervalMs;
      const waitMs = turnAt - performance.now();
      if (now >= end) socket.end(resolve);
      else if (intervalMs === 0 || waitMs <= 0) ask(socket);
      else setTimeout(ask, waitMs, socket);
    });
    socket.on("error", reject);
    socket.on("close", resolve);
  });
}

function makeKey(kind: "uuidv7" | "random"): string {
  const random = crypto.randomUUID();
  if (kind === "random") return random;
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

function makeRecipient(): string {
  return `+1202${String(Math.floor(Math.random() * 1_000_000)).padStart(7, "0")}`;
}

const [plan] = process.argv.slice(2);
if (plan !== undefined && process.send !== undefined) process.send(await runLoad(JSON.parse(plan)));
