// Runs the real msgd for a test: the built program, on a free port, with its data in a folder on disk.

import { type ChildProcess, type ChildProcessByStdio, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The launcher of the built program. */
export const msgdProgram = fileURLToPath(new URL("../../bin/msgd", import.meta.url));

const ANSWER_BOUND_MS = 60_000;
const LONGEST_END_MS = 300_000;

export interface Credential {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly tenantId: string;
  readonly merchantId: string | null;
}

/** A data folder and the servers started on it. `remove` ends the servers and deletes the folder. */
export class MsgdFolder {
  /** The folder around the data folder, in which msgctl finds the demo credential. */
  readonly parent = mkdtempSync(join(tmpdir(), "msgd-e2e-"));
  readonly path = join(this.parent, ".msgd");
  readonly #running = new Set<MsgdProcess>();

  /** Runs a command of msgd on this folder, beside any server, and returns its JSON output. */
  command<Result>(...args: string[]): Result {
    const output = execFileSync(process.execPath, [msgdProgram, ...args, "--data", this.path, "-o", "json"], {
      stdio: ["ignore", "pipe", "pipe"],
      // lists of ten thousand messages have some megabytes
      maxBuffer: 64 * 1_024 * 1_024,
    });
    return JSON.parse(output.toString()) as Result;
  }

  /** Runs a command without JSON output, asynchronously. */
  async run(...args: string[]): Promise<void> {
    await promisify(execFile)(process.execPath, [msgdProgram, ...args, "--data", this.path]);
  }

  createTenant(name = "Acme", timezone = "UTC"): Credential {
    const { tenantId } = this.command<{ tenantId: string }>(
      "tenants",
      "create",
      name,
      "--test",
      "--timezone",
      timezone,
    );
    return this.createKey(tenantId);
  }

  createKey(tenantId: string, merchantId?: string): Credential {
    return this.command("keys", "create", "--tenant", tenantId, ...(merchantId ? ["--merchant", merchantId] : []));
  }

  /** Starts a server, on a free port unless a flag names one. */
  async serve(...flags: string[]): Promise<MsgdProcess> {
    const server = await MsgdProcess.start(["serve", "--data", this.path, "--port", "0", ...flags]);
    this.#running.add(server);
    return server;
  }

  /** Starts a server with a module preloaded, or with other options. */
  async serveWith(given: URL | StartOptions, ...flags: string[]): Promise<MsgdProcess> {
    const args = ["serve", "--data", this.path, "--port", "0", ...flags];
    const server = await MsgdProcess.start(args, given instanceof URL ? { preload: given } : given);
    this.#running.add(server);
    return server;
  }

  /** Starts a server and kills it `afterMs` milliseconds later, whether or not it listens by then. */
  async killWhileStarting(afterMs: number, ...flags: string[]): Promise<void> {
    const args = [msgdProgram, "serve", "--data", this.path, "--port", "0", ...flags];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const ended = once(child, "exit");
    await sleep(afterMs);
    child.kill("SIGKILL");
    await ended;
  }

  /**
   * Starts a demo server as `npm start` does: in the parent folder, with defaults for everything except the port and the
   * given flags.
   */
  async serveDemo(...flags: string[]): Promise<MsgdProcess> {
    const server = await MsgdProcess.start(["serve", "--dev", "--port", "0", ...flags], { cwd: this.parent });
    this.#running.add(server);
    return server;
  }

  /**
   * Gives this folder the demo server that all suites of this process share, in the state after `npm start`: only demo data,
   * no planned faults, the machine's time. Use it in a suite that needs no flags and ends no server.
   */
  async shareDemo(): Promise<SharedServer> {
    shared ??= startShared();
    if (!(await shared).server.isRunning) shared = startShared();
    const { path, server } = await shared;
    // a junction, because Windows requires a privilege for symbolic links
    symlinkSync(path, this.path, "junction");
    // fetch might use an idle connection that the server has closed while a suite kept this process from noticing
    const resetting = request(`${server.baseUrl}/control/reset`, { method: "POST", agent: false }).end();
    const [reply] = (await once(resetting, "response")) as [IncomingMessage];
    const body = await text(reply);
    if (reply.statusCode !== 204) throw new Error(`the shared server was not reset: ${reply.statusCode} ${body}`);
    return server;
  }

  /** The credential that the demo server left for msgctl. */
  get demoCredential(): Credential {
    return JSON.parse(readFileSync(join(this.path, "demo-credential.json"), "utf8")) as Credential;
  }

  async remove(): Promise<void> {
    for (const server of this.#running) await server.end("SIGKILL");
    rmSync(this.parent, { recursive: true, force: true });
  }
}

/** A server that other suites use too. It can be called, but not ended. */
export type SharedServer = Pick<MsgdProcess, "baseUrl" | "written">;

let shared: Promise<{ readonly path: string; readonly server: MsgdProcess }> | undefined;

/** Starts a demo server. When this process exits, even by a signal, the server ends and its folder is removed. */
async function startShared() {
  const { parent, path } = new MsgdFolder();
  const source = `
    import { rmSync } from "node:fs";
    process.once("disconnect", () => {
      rmSync(${JSON.stringify(parent)}, { recursive: true, force: true });
      process.kill(process.pid, "SIGKILL");
    });`;
  const preload = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const server = await MsgdProcess.start(["serve", "--dev", "--port", "0"], { cwd: parent, preload });
  return { path, server };
}

export interface StartOptions {
  readonly cwd?: string;
  /** @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** @default msgd of this repository */
  readonly program?: string;
  /** A module to preload, which receives messages from `tell`. */
  readonly preload?: URL;
  /** An open file for its standard error. @default a pipe that `written` includes */
  readonly stderr?: number;
}

export class MsgdProcess {
  readonly baseUrl: string;
  readonly #child: ChildProcess;
  readonly #lines: string[];

  private constructor(child: ChildProcess, baseUrl: string, lines: string[]) {
    this.#child = child;
    this.baseUrl = baseUrl;
    this.#lines = lines;
  }

  static start(args: string[], options: StartOptions = {}): Promise<MsgdProcess> {
    const { cwd, env, program = msgdProgram, preload, stderr = "pipe" } = options;
    const imports = preload === undefined ? [] : ["--import", preload.href];
    const child = spawn(process.execPath, [...imports, program, ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", stderr, ...(preload === undefined ? [] : ["ipc" as const])],
    }) as ChildProcessByStdio<null, Readable, Readable | null>;
    const lines: string[] = [];
    if (child.stderr !== null) createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
    return new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`msgd ended with ${code}: ${lines.join("\n")}`)));
      createInterface({ input: child.stdout }).on("line", (line) => {
        lines.push(line);
        const ready = /^msgd listening on (http:\S+)$/.exec(line);
        if (ready?.[1]) resolve(new MsgdProcess(child, ready[1], lines));
      });
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error("the server has no process");
    return pid;
  }

  /** Sends a message to the preloaded module, and waits for the answer. Rejects if none arrives within a minute. */
  async tell(order: object | string): Promise<void> {
    const answered = once(this.#child, "message", { signal: AbortSignal.timeout(ANSWER_BOUND_MS) });
    this.#child.send(order);
    await answered;
  }

  /** All output so far, of stdout and stderr. */
  get written(): string {
    return this.#lines.join("\n");
  }

  /** Sends the signal and waits up to five minutes for the exit. Returns the exit code; null if a signal ended the server. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    if (!this.isRunning) return Promise.resolve(this.#child.exitCode);
    return new Promise((resolve) => {
      this.#child.removeAllListeners("exit");
      const overdue = setTimeout(() => this.#child.kill("SIGKILL"), LONGEST_END_MS);
      // `close` comes after all output has been read, unlike `exit`
      this.#child.once("close", (code) => {
        clearTimeout(overdue);
        resolve(code);
      });
      this.#child.kill(signal);
    });
  }
}
