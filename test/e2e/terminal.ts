// Runs msgctl at a terminal, and types for it.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cleanEnvironment, msgctlPath } from "./msgctl-process.ts";

const script = fileURLToPath(new URL("terminal.py", import.meta.url));
const TIMEOUT_SECONDS = 100;

/** A text to await on the screen, and the keys to type then. `SIGINT` and `SIGHUP` are sent as signals. */
export type Step = readonly [awaited: string, keys: string];

export interface Sitting {
  readonly cwd: string;
  readonly steps: readonly Step[];
  /** Target of standard output. The other two streams are the terminal. @default pipe */
  readonly stdout?: "pipe" | "terminal";
  readonly env?: Readonly<Record<string, string>>;
  /** Height of the terminal in rows. @default 40 */
  readonly rows?: number;
}

export interface Left {
  /** Exit code of msgctl; negative if a signal ended it. */
  readonly exitCode: number;
  /** All output to the terminal, unchanged. */
  readonly screen: string;
  /** All output to the pipe. */
  readonly stdout: string;
  /** Steps whose text never appeared. */
  readonly unmet: readonly Step[];
}

/** Runs `msgctl ...args` until it exits, or kills it if it hangs. */
export function sitAtMsgctl(
  args: readonly string[],
  { cwd, steps, stdout = "pipe", env, rows = 40 }: Sitting,
): Promise<Left> {
  const job = {
    argv: [process.execPath, msgctlPath, ...args],
    env: { ...cleanEnvironment(cwd), TERM: "xterm", NO_COLOR: "1", ...env },
    ...{ cwd, steps, stdout, rows, columns: 100, timeoutSeconds: TIMEOUT_SECONDS },
  };
  const python = spawn("python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
  python.stdin.end(JSON.stringify(job));
  let written = "";
  python.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
  });
  return new Promise((resolve, reject) => {
    python.once("error", reject);
    python.once("close", (exitCode) => {
      if (exitCode === 0) resolve(JSON.parse(written) as Left);
      else reject(new Error(`terminal.py ended with ${exitCode}`));
    });
  });
}
