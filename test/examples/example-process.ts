// A program of examples/ as a user starts it: from the repository's root, with its settings in the environment.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** How Node runs an example: TypeScript by tsx, JavaScript by itself. */
export const argsOf = (path: string): string[] => [...(path.endsWith(".ts") ? ["--import", "tsx"] : []), path];

/** An example that serves, until `end`. */
export class ExampleProcess {
  /** Where it listens, without a path. */
  readonly origin: string;
  /** Lines of stdout and stderr, in the order that they came. */
  readonly written: readonly string[];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, origin: string, written: readonly string[]) {
    this.#child = child;
    this.origin = origin;
    this.written = written;
  }

  /** Resolves when the program has said `listening on http://…`; fails when it ends before that. */
  static start(path: string, env: Readonly<Record<string, string>>): Promise<ExampleProcess> {
    const child = spawn(process.execPath, argsOf(path), {
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

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
