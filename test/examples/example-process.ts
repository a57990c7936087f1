// Runs programs of examples/ as a user would: from the repository's root, with settings in the environment.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Node's arguments for an example: TypeScript is run by tsx, JavaScript directly. */
export const argsOf = (path: string): string[] => [...(path.endsWith(".ts") ? ["--import", "tsx"] : []), path];

export interface Run {
  readonly stdout: readonly string[];
  readonly stderr: string;
  /** The exit code, or the signal that ended the program. */
  readonly ended: number | string | null;
}

/**
 * Runs a program until it exits. Calls `onLine` for each line of stdout and stderr. Its arguments are the number of lines on
 * stdout so far, and a function that signals the program and all processes that it has started.
 */
export async function run(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onLine?: (line: string, printed: number, signal: (name: NodeJS.Signals) => void) => void,
): Promise<Run> {
  const child = spawn(file, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const closed = once(child, "close") as Promise<[number | null, string | null]>;
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  };
  const stdout: string[] = [];
  const stderr: string[] = [];
  for (const [output, lines] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const) {
    createInterface({ input: output }).on("line", (line) => {
      lines.push(line);
      onLine?.(line, stdout.length, signal);
    });
  }
  const [code, endedBy] = await closed;
  return { stdout, stderr: stderr.map((line) => `${line}\n`).join(""), ended: code ?? endedBy };
}

/** An example that serves until `end`. */
export class ExampleProcess {
  /** Its origin, without a path. */
  readonly origin: string;
  /** Lines of stdout and stderr, in order of arrival. */
  readonly written: readonly string[];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, origin: string, written: readonly string[]) {
    this.#child = child;
    this.origin = origin;
    this.written = written;
  }

  /** Resolves when the program has printed `listening on http://…`; rejects if it ends before that. */
  static start(
    path: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[] = [],
  ): Promise<ExampleProcess> {
    const child = spawn(process.execPath, [...argsOf(path), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const written: string[] = [];
    return new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`${path} ended with ${code}: ${written.join("\n")}`)));
      for (const output of [child.stdout, child.stderr]) {
        createInterface({ input: output }).on("line", (line) => {
          written.push(line);
          const origin = /^listening on (http:\S+)$/.exec(line)?.[1];
          if (origin !== undefined) resolve(new ExampleProcess(child, origin, written));
        });
      }
    });
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async end(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
