/** Measures the cost of a whole process, as the kernel accounts for it. Python can read the kernel's figures; Node cannot. */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("meter.py", import.meta.url));
const TIMEOUT_SECONDS = 60;
/** Needs posix_spawn, wait4 and waitstatus_to_exitcode: Python 3.9 or later on any Unix. */
const PROBE = "import os; os.posix_spawn, os.wait4, os.waitstatus_to_exitcode";

export interface Program {
  /** Name in the table's row. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Cost {
  /** User and system time of all threads, and of child processes that the program waited for. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

interface Ran extends Cost {
  /** Exit code of the program; negative if a signal ended it. */
  readonly exitCode: number;
  /** The beginning of its output on either stream. */
  readonly output: string;
}

export function canMeter(): boolean {
  return spawnSync("python3", ["-c", PROBE], { stdio: "ignore" }).status === 0;
}

/** A Python process that starts the programs, one at a time. */
export class Meter {
  readonly #python: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.#python = spawn("python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#python.stdout })[Symbol.asyncIterator]();
  }

  /** Runs a program until it exits, for at most 60 s. Rejects with its output unless it exits with 0. */
  async run({ name, argv, cwd, env }: Program): Promise<Cost> {
    this.#python.stdin.write(`${JSON.stringify({ argv, cwd, env, timeoutSeconds: TIMEOUT_SECONDS })}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`meter.py ended while it ran ${name}`);
    const { exitCode, output, cpuMs, wallMs } = JSON.parse(value) as Ran;
    if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${output.trim()}`);
    return { cpuMs, wallMs };
  }

  stop(): void {
    this.#python.stdin.end();
  }
}
