/** A test environment for commands: strings as streams, a separate folder, and a real server on the loopback interface. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { Catalog } from "../model/catalog.ts";
import { type Clock, systemClock } from "../process/clock.ts";
import { isLineByLine } from "../process/config.ts";
import { EXIT, type ExitCode } from "../process/exit-codes.ts";
import type { Environment, Io } from "../process/io.ts";
import { run } from "../run.ts";
import type { Certificate } from "./certificates.ts";
import { parcels } from "./parcels.ts";

export interface World {
  env: Environment;
  cwd: string;
  /** Width of the terminal to which both streams are connected; undefined: they are files. */
  terminal: number | undefined;
  stdin: string;
  nodeVersion: string;
  /** Offset of the user's time zone from UTC in minutes. @default 0 */
  zoneOffsetMinutes: number;
  /** Input at the terminal: pairs of a text to await on standard error, and the keys to type then. */
  dialogue: readonly (readonly [awaited: string, keys: string])[];
  signal: AbortSignal;
  /** Height of the terminal. */
  rows: number;
  /** Collects the texts shown in the pager and the addresses opened in the browser; undefined: there is none. */
  onPage(text: string): void;
  onOpen(url: string): void;
  /** @default 130 */
  interruptedExitCode: ExitCode;
  outputEnd: AbortSignal;
  /** By default the machine's clock. */
  clock: Clock;
  /** Called with each text as it is written. */
  onWrite(name: "stdout" | "stderr", text: string): void;
  catalog: Catalog;
}

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs `msgctl ...argv` and returns what it wrote. */
export async function msgctl(argv: readonly string[], world: Partial<World> = {}): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const keyboard = new PassThrough();
  const dialogue = [...(world.dialogue ?? [])];
  const cwd = world.cwd ?? folder();
  const env = { HOME: cwd, TERM: "xterm", ...world.env };
  let seen = 0;
  const type = () => {
    const [awaited, keys] = dialogue[0] ?? [];
    if (awaited === undefined || !written.stderr.slice(seen).includes(awaited)) return;
    dialogue.shift();
    seen = written.stderr.length;
    setImmediate(() => keyboard.write(keys));
  };
  const sink = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
      if (name === "stderr") type();
      world.onWrite?.(name, text);
    },
    isTTY: world.terminal !== undefined,
    isLineByLine: isLineByLine(env),
    columns: world.terminal,
    rows: world.rows,
  });
  const io: Io = {
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    readStdin: async () => world.stdin ?? "",
    stdinChunks: async function* () {
      yield Buffer.from(world.stdin ?? "");
    },
    keyboard: () => (world.dialogue === undefined ? undefined : keyboard),
    env,
    nodeVersion: world.nodeVersion ?? "22.1.0",
    zoneOffsetMinutes: () => world.zoneOffsetMinutes ?? 0,
    cwd,
    clock: world.clock ?? systemClock,
    signal: world.signal ?? new AbortController().signal,
    interruptedExitCode: () => world.interruptedExitCode ?? EXIT.interrupted,
    setInterruptionGrace: () => {},
    page: async (text) => {
      world.onPage?.(text);
      return world.onPage !== undefined;
    },
    openBrowser: async (url) => {
      world.onOpen?.(url);
      return world.onOpen !== undefined;
    },
    outputEnd: world.outputEnd ?? new AbortController().signal,
  };
  const exitCode = await run(argv, io, world.catalog ?? parcels);
  return { exitCode, ...written };
}

/** Creates an empty folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "msgctl-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Service {
  baseUrl: string;
  received: Received[];
  /** Environment variables with the address of this service and a credential. */
  env: Environment;
}

export const SECRET = "mks_canary0123456789";

/** Starts a server that answers every request with `answer`, and records the requests. */
export async function service(
  answer: (response: ServerResponse, request: Received) => void,
  certificate?: Certificate,
): Promise<Service> {
  const received: Received[] = [];
  const server = certificate === undefined ? createServer() : createSecureServer(certificate);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      const whole = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(whole);
      answer(response, whole);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `${certificate === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { MSGCTL_API_KEY: "mkt_test_key", MSGCTL_API_SECRET: SECRET, MSGCTL_BASE_URL: baseUrl };
  return { baseUrl, received, env };
}

/** Sends a JSON answer. */
export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
