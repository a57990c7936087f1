import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { LoadPlan, LoadResult } from "./load.ts";

/** Kernel clock ticks per second, the unit of CPU time in /proc. */
const TICKS_PER_SECOND = 100;

export interface Server {
  readonly port: number;
  readonly pid: number;
  /** Time from the start of the process until it reported its port. */
  readonly startMs: number;
  /** The server's process, with a message channel if that was requested. */
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts a Node program and waits for the line that names its port. Pass `port` for a program that prints no such line.
 * `env` adds to the environment.
 */
export async function startServer(
  args: readonly string[],
  port?: number,
  channel?: "ipc",
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit", ...(channel ? [channel] : [])],
    env: { ...process.env, ...env },
  });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code} before it listened`)));
  });
  const listening = port === undefined ? readPort(child) : waitForPort(port);
  const found = await Promise.race([listening, ended]);
  return { port: found, pid: child.pid ?? 0, startMs: performance.now() - start, child, stop: () => stop(child) };
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /listening on .*:(\d+)/.exec(line);
      if (address) resolve(Number(address[1]));
    });
  });
}

async function waitForPort(port: number): Promise<number> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return port;
    } catch {
      await setTimeout(20);
    } finally {
      socket.destroy();
    }
  }
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}

/** Runs the load in a separate process. */
export function loadFrom(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL("load.ts", import.meta.url), [JSON.stringify(plan)], {
      execArgv: ["--import", "tsx"],
    });
    child.once("message", (result) => resolve(result as LoadResult));
    child.once("exit", (code) => reject(new Error(`the load ended with ${code}`)));
  });
}

/** CPU seconds that the process has used; undefined if the system has no /proc. */
export function readCpuSeconds(pid: number): number | undefined {
  const stat = readProc(pid, "stat");
  // the process name, in parentheses, may contain spaces
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory in MB; undefined if the system has no /proc. */
export function readResidentMb(pid: number): number | undefined {
  const match = /VmRSS:\s+(\d+) kB/.exec(readProc(pid, "status") ?? "");
  return match ? Number(match[1]) / 1_024 : undefined;
}

/** Peak of the resident memory in MB since `forgetPeakMemory`; undefined if the system has no /proc. */
export function readPeakMb(pid: number): number | undefined {
  const match = /VmHWM:\s+(\d+) kB/.exec(readProc(pid, "status") ?? "");
  return match ? Number(match[1]) / 1_024 : undefined;
}

/** Resets the kernel's peak of a process's memory. */
export function forgetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // not permitted: the peak then covers the whole life of the process
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}
