// Measures durable SMS sends through msgd, and compares them with a server that echoes the body and with Prism's stateless
// mock, all in one run.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import type { LoadPlan, LoadResult } from "./load.ts";
import { loadFrom, readCpuSeconds, readResidentMb, type Server, startServer } from "./process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The body of a send to `to`. */
export const makeSend = (to: string) =>
  JSON.stringify({
    merchantId: "bench",
    to,
    message: "Your code is 481516. It is valid for ten minutes.",
    type: "OTP",
  });
const body = makeSend("+12025550100");
const path = "/api/v1/messages/sms";
/** Time to compile the code of a request. Two seconds are enough for one process, but not for several. */
const WARM_UP_SECONDS = 6;

export interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicros: number | undefined;
  readonly idleMb: number | undefined;
  readonly loadedMb: number | undefined;
  readonly startMs: number;
}

export interface Target {
  readonly name: string;
  readonly start: () => Promise<Server>;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys?: LoadPlan["keys"];
  /** @default a send to one recipient */
  readonly body?: string;
  /** Ports of the other instances, which share the connections. CPU and memory are shown for the first one only. */
  readonly findOtherPorts?: () => readonly number[];
}

export interface LoadSize {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

/**
 * Measures the servers alternately, `rounds` times each, and returns the median round of each by throughput. Only one runs at
 * a time, so that none dispatches its backlog while another is measured.
 */
export async function measureSends(size: LoadSize): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-bench-"));
  const headers = await prepareTenant(join(folder, "prepared"));
  const startPrepared = () => startOnCopy(join(folder, "prepared"));
  const targets: Target[] = [
    {
      name: "fastify echo",
      start: () => startServer(["--import", "tsx", join(root, "test/bench/echo.ts")]),
      headers,
      keys: "uuidv7",
    },
    { name: "msgd", start: startPrepared, headers, keys: "uuidv7" },
    { name: "msgd, random keys", start: startPrepared, headers, keys: "random" },
    { name: "prism mock", start: startPrism, headers, keys: "uuidv7" },
  ];
  try {
    return await measureAlternately(targets, size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function startMsgd(data: string, env: Readonly<Record<string, string>> = {}): Promise<Server> {
  return startServer([join(root, "bin/msgd"), "serve", "--data", data, "--port", "0"], undefined, undefined, env);
}

/** The median round of each target, by throughput. */
export async function measureAlternately(targets: readonly Target[], size: LoadSize): Promise<Measured[]> {
  return (await measureRounds(targets, size)).map(median);
}

/** Returns all rounds of each target. A drift of the machine affects rounds with the same number alike. */
export async function measureRounds(targets: readonly Target[], size: LoadSize): Promise<Measured[][]> {
  const runs = targets.map((): Measured[] => []);
  for (let round = 0; round < size.rounds; round += 1) {
    for (const [index, target] of targets.entries()) runs[index]?.push(await measure(target, size));
  }
  return runs;
}

/** Starts a server on a copy of the data, so that it does not dispatch the backlog of an earlier run. */
export async function startOnCopy(prepared: string): Promise<Server> {
  const data = mkdtempSync(`${prepared}-run-`);
  cpSync(prepared, data, { recursive: true });
  const server = await startMsgd(data);
  return {
    ...server,
    async stop() {
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function measure(target: Target, load: { seconds: number; connections: number }): Promise<Measured> {
  const server = await target.start();
  try {
    const { pid, startMs } = server;
    const ports = [server.port, ...(target.findOtherPorts?.() ?? [])];
    const idleMb = readResidentMb(pid);
    const plan = {
      path,
      headers: target.headers,
      body: target.body ?? body,
      ...(target.keys === undefined ? {} : { keys: target.keys }),
    };
    const connections = Math.ceil(load.connections / ports.length);
    const loadAll = (seconds: number) =>
      Promise.all(ports.map((port) => loadFrom({ ...plan, port, seconds, connections })));
    await loadAll(WARM_UP_SECONDS);
    const cpuBefore = readCpuSeconds(pid);
    const result = addUp(await loadAll(load.seconds));
    const cpuAfter = readCpuSeconds(pid);
    if (Object.keys(result.failures).length > 0) {
      throw new Error(`${target.name} answered other than 200: ${JSON.stringify(result.failures)}`);
    }
    const isCounted = cpuBefore !== undefined && cpuAfter !== undefined;
    return {
      name: target.name,
      requestsPerSecond: result.requests / result.seconds,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      cpuMicros: isCounted ? ((cpuAfter - cpuBefore) * 1e6) / result.requests : undefined,
      idleMb,
      loadedMb: readResidentMb(pid),
      startMs,
    };
  } finally {
    await server.stop();
  }
}

/** Combines the results of several instances: adds up the counts, and takes the latency of the slowest instance. */
function addUp(results: readonly LoadResult[]): LoadResult {
  const most = (pick: (result: LoadResult) => number) => Math.max(...results.map(pick));
  return {
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    seconds: most(({ seconds }) => seconds),
    p50Ms: most(({ p50Ms }) => p50Ms),
    p99Ms: most(({ p99Ms }) => p99Ms),
    maxMs: most(({ maxMs }) => maxMs),
    failures: Object.assign({}, ...results.map(({ failures }) => failures)),
  };
}

/** The run with the median throughput. */
export function median(runs: readonly Measured[]): Measured {
  const sorted = [...runs].sort((left, right) => left.requestsPerSecond - right.requestsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}

/** A load of short texts by the tenant with these headers, each with a new Idempotency-Key. */
export function planOfTexts(
  server: Pick<Server, "port">,
  headers: LoadPlan["headers"],
  { connections, seconds, pace }: Pick<LoadPlan, "connections" | "seconds" | "pace">,
): LoadPlan {
  const message = { merchantId: "bench", to: "+12025550100", message: "Your code is 481516.", type: "OTP" };
  return {
    ...{ port: server.port, path: "/api/v1/messages/sms", headers, body: JSON.stringify(message), keys: "uuidv7" },
    ...{ connections, seconds, ...(pace === undefined ? {} : { pace }) },
  };
}

/**
 * Creates a tenant and a merchant whose limits suffice for the whole load, with public commands and calls. Returns the headers
 * with the tenant's credential. `env` may name a database to use instead of the folder's.
 */
export async function prepareTenant(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  mode: "live" | "test" = "test",
): Promise<Record<string, string>> {
  const msgd = (...args: string[]) => {
    const output = execFileSync(process.execPath, [join(root, "bin/msgd"), ...args, "--data", folder, "-o", "json"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, ...env },
    });
    return JSON.parse(output.toString());
  };
  const { tenantId } = msgd("tenants", "create", "Bench", ...(mode === "test" ? ["--test"] : []));
  const credential = msgd("keys", "create", "--tenant", tenantId);
  const server = await startMsgd(folder, env);
  const reply = await fetch(`http://127.0.0.1:${server.port}/api/v1/merchants`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-API-KEY": credential.apiKey,
      "X-API-SECRET": credential.apiSecret,
    },
    body: JSON.stringify({
      merchantId: "bench",
      displayName: "Bench",
      smsLimit: 1_000_000_000,
      voiceMinutesLimit: 1_000_000_000,
    }),
  });
  await server.stop();
  if (!reply.ok) throw new Error(`the bench merchant was refused: ${await reply.text()}`);
  return { "X-API-KEY": credential.apiKey, "X-API-SECRET": credential.apiSecret };
}

/** Starts Prism without logs, which halve its rate by default. */
async function startPrism(): Promise<Server> {
  const prism = join(root, "node_modules/@stoplight/prism-cli/dist/index.js");
  const port = await findFreePort();
  const place = ["--port", String(port), "--host", "127.0.0.1", "--verboseLevel", "silent"];
  return startServer([prism, "mock", join(root, "openapi.yaml"), ...place], port);
}

/** Describes the results as a table. */
export function describeMeasured(rows: readonly Measured[]): string[] {
  const figure = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? "-";
  const lines = [
    ["server", "req/s", "p50 ms", "p99 ms", "CPU µs/req", "MB before", "MB after", "start ms"],
    ...rows.map((row) => [
      row.name,
      figure(row.requestsPerSecond, 0),
      figure(row.p50Ms, 2),
      figure(row.p99Ms, 2),
      figure(row.cpuMicros, 1),
      figure(row.idleMb, 0),
      figure(row.loadedMb, 0),
      figure(row.startMs, 0),
    ]),
  ];
  return lines.map((line) => line.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(11))).join(""));
}
