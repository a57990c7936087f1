// Runs the real msgctl for a test: the built program, in a folder, with a minimal environment.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const msgctlPath = fileURLToPath(new URL("../../bin/msgctl", import.meta.url));

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  /** Working directory. It has to contain the `.msgd` of a demo server that msgctl should find. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program and the arguments before msgctl's own; by default `bin/msgctl` with this Node. */
  readonly program?: readonly [string, ...string[]];
  /** `open` makes standard input an open pipe to which nothing is written. */
  readonly stdin?: "closed" | "open";
  /** Whether the reading end of standard output is closed before the program writes. */
  readonly isStdoutClosed?: boolean;
  /** Texts to await on standard error, one after the other, each with an action to take when it appears. */
  readonly steps?: readonly (readonly [awaited: string, act: (signal: (name: NodeJS.Signals) => void) => unknown])[];
}

/** Runs `msgctl ...args` until it exits. */
export function runMsgctl(args: readonly string[], start: Start): Promise<Ended> {
  const [file, ...first] = start.program ?? [process.execPath, msgctlPath];
  const child = spawn(file, [...first, ...args], {
    cwd: start.cwd,
    env: { ...cleanEnvironment(start.cwd), ...start.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (start.stdin !== "open") child.stdin.end();
  if (start.isStdoutClosed) child.stdout.destroy();
  const written = { stdout: "", stderr: "" };
  const steps = [...(start.steps ?? [])];
  let seen = 0;
  const acting: Promise<void>[] = [];
  const act = async () => {
    const [awaited, action] = steps[0] ?? [];
    if (awaited === undefined || !written.stderr.slice(seen).includes(awaited)) return;
    steps.shift();
    seen = written.stderr.length;
    await action?.((name) => child.kill(name));
  };
  return new Promise((resolve, reject) => {
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        written[name] += text;
        const acted = act();
        acted.catch(reject);
        acting.push(acted);
      });
    }
    child.once("error", reject);
    child.once("close", async (exitCode) => {
      // an action that still advances a clock would affect the next test
      await Promise.allSettled(acting);
      if (steps.length === 0) resolve({ exitCode, ...written });
      else
        reject(new Error(`standard error never showed ${steps.map(([awaited]) => awaited)}, only ${written.stderr}`));
    });
  });
}

/**
 * A minimal environment, in which a developer's MSGCTL_ variables, NO_COLOR or npx settings do not affect a test. `home`
 * contains the profiles.
 */
export function cleanEnvironment(home: string): Record<string, string> {
  const { PATH = "", SystemRoot = "", TEMP = "" } = process.env;
  const windows = process.platform === "win32" ? { SystemRoot, TEMP } : {};
  return { PATH, ...windows, HOME: home, USERPROFILE: home };
}
