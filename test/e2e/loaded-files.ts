// Lists the files of msgctl that a run has loaded, which measures the cost of a command's start without a clock.

import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Ended, runMsgctl, type Start } from "./msgctl-process.ts";

const hook = fileURLToPath(new URL("tell-loaded.cjs", import.meta.url));

export interface LoadedFile {
  readonly path: string;
  readonly bytes: number;
}

export interface Loading extends Ended {
  /** Files in load order. The program itself comes first; Node's own modules are omitted. */
  readonly files: readonly LoadedFile[];
}

/** Runs `program ...args` until it exits. `program` is the .cjs file to which npm links. */
export async function runAndListFiles(
  program: string,
  args: readonly string[],
  start: Omit<Start, "program">,
): Promise<Loading> {
  const folder = mkdtempSync(join(tmpdir(), "msgctl-loaded-"));
  try {
    const list = join(folder, "loaded.json");
    const ended = await runMsgctl(args, {
      ...start,
      program: [process.execPath, "--require", hook, program],
      env: { ...start.env, LOADED_FILES_LIST: list },
    });
    const paths = JSON.parse(readFileSync(list, "utf8")) as string[];
    const files = paths.filter((path) => path !== hook).map((path) => ({ path, bytes: statSync(path).size }));
    return { ...ended, files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
