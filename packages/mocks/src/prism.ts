// Runs Prism with the contract, as a stateless mock or as a proxy that checks a server against the contract. The user
// installs Prism itself; these functions start its program, wait until it listens, and ensure that it ends.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import timers from "node:timers";
import { fileURLToPath } from "node:url";

/** Captured when this module loads, since a test may fake the global timers later. */
const { setTimeout, clearTimeout } = timers;

const START_TIMEOUT_MS = 60_000;
const HOST = "127.0.0.1";

/** Ends Prism when the pipe to the process that started it closes, however that process ended. */
const END_WITH_PARENT =
  "data:text/javascript,process.stdin.on('end',()=>process.exit()).on('error',()=>process.exit()).resume().unref()";

/** Thrown if @stoplight/prism-cli cannot be found. */
export class PrismMissingError extends Error {
  override readonly name = "PrismMissingError";
}

/** A running Prism, which serves `url` until it is stopped or this process ends. */
export interface Prism {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  /** Ends Prism; resolves once it has ended. A second call does nothing. */
  stop(): Promise<void>;
  /** Resolves once Prism has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

export interface PrismOptions {
  /** Address to listen on. @default "127.0.0.1", which only this machine reaches */
  readonly host?: string;
  /** Port to listen on, 0 to 65535; 0 chooses a free port. @default 0 */
  readonly port?: number;
  /** Path of the OpenAPI document. @default the contract that this package ships */
  readonly document?: string;
}

export interface PrismProxyOptions extends PrismOptions {
  /** The server behind the proxy, such as `http://127.0.0.1:4010`. */
  readonly upstream: string;
  /** Whether requests are checked against the contract too, not only replies. @default true */
  readonly validateRequests?: boolean;
}

/**
 * Starts `prism mock`: it answers each operation with the contract's first example, and with a problem where the
 * request asks for one (`Prefer: code=422, example=consent_opted_out`) and accepts `application/problem+json`.
 * A request outside the contract gets an example of a refusal, recognizable only by its header `sl-violations`.
 * Rejects if Prism is not installed, or with its output if it does not listen within 60 s.
 */
export async function startPrismMock({
  host = HOST,
  port = 0,
  document = shippedDocument(),
}: PrismOptions = {}): Promise<Prism> {
  return start(["mock", document], { host, port, document });
}

/**
 * Starts `prism proxy --errors`: it forwards requests to the upstream server, and answers a request or a reply that
 * violates the contract with a problem whose `type` starts with `https://stoplight.io/prism/errors`.
 * Rejects as `startPrismMock` does.
 */
export async function startPrismProxy({
  upstream,
  host = HOST,
  port = 0,
  document = shippedDocument(),
  validateRequests = true,
}: PrismProxyOptions): Promise<Prism> {
  if (!URL.canParse(upstream))
    throw new TypeError(`upstream must be the address of a server, such as http://127.0.0.1:4010, not "${upstream}".`);
  const flags = ["--errors", `--validate-request=${validateRequests}`];
  return start(["proxy", document, upstream, ...flags], { host, port, document });
}

function shippedDocument(): string {
  return fileURLToPath(new URL("openapi.yaml", import.meta.url));
}

async function start(words: readonly string[], { host, port, document }: Required<PrismOptions>): Promise<Prism> {
  const program = findProgram();
  if (!/^https?:/.test(document) && !existsSync(document)) throw new Error(`There is no document at ${document}.`);
  // run Prism in a single process, whatever NODE_ENV is, so that there is only one process to end
  const flags = ["--host", host, "--port", String(port), "--multiprocess", "false"];
  const child = spawn(process.execPath, ["--import", END_WITH_PARENT, program, ...words, ...flags], { stdio: "pipe" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    const url = await readAddress(child);
    // Prism must not keep this process running
    child.unref();
    for (const pipe of child.stdio) (pipe as Socket).unref();
    return { url, stop: () => stop(child), ended };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

function findProgram(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve("@stoplight/prism-cli/package.json");
    return join(dirname(manifest), "dist", "index.js");
  } catch (cause) {
    throw new PrismMissingError(
      "Prism is not installed. It is needed for startPrismMock and startPrismProxy alone, so it does not come with " +
        "@msgctl/mocks. Run: npm install --save-dev @stoplight/prism-cli",
      { cause },
    );
  }
}

function readAddress(prism: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    let isStarting = true;
    const settle = (act: () => void) => {
      isStarting = false;
      clearTimeout(timer);
      act();
    };
    const fail = (why: string) => settle(() => reject(new Error(`Prism ${why}. It wrote:\n${output.trim()}`)));
    const timer = setTimeout(() => fail(`did not listen within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      // both streams are read to the end: a full pipe would stop Prism
      if (!isStarting) return;
      output += chunk.toString();
      const [, address] = /Prism is listening on (http:\/\/[^\s/]+)/.exec(output) ?? [];
      if (address !== undefined) settle(() => resolve(address));
    };
    prism.stdout?.on("data", read);
    prism.stderr?.on("data", read);
    prism.once("error", (error) => fail(`could not be started: ${error.message}`));
    prism.once("close", (code) => fail(`ended with code ${code}`));
  });
}

async function stop(prism: ChildProcess): Promise<void> {
  if (prism.pid === undefined || prism.exitCode !== null || prism.signalCode !== null) return;
  const ended = once(prism, "exit");
  prism.ref();
  prism.kill();
  await ended;
}
