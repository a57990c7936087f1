/** Time of a TAB in a shell that has read the completion script, and the number of processes that it starts. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../sdk/rounds.ts";
import { ownProgram } from "./own-package.ts";

const TIMEOUT_MS = 120_000;

/** Lines typed before TAB is pressed. */
const LINES = [
  "msgctl se",
  "msgctl send s",
  "msgctl send sms --m",
  "msgctl send sms --type ",
  "msgctl consent record --channel ",
];

export interface TabCost {
  readonly shell: string;
  readonly line: string;
  /** Number of words offered. */
  readonly offered: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** Number of processes that one TAB starts; undefined if the system does not count them. */
  readonly started: number | undefined;
}

/** Presses TAB `times` times on each line, in each installed shell. */
export function measureTabs(times: number): TabCost[] {
  const folder = mkdtempSync(join(tmpdir(), "msgctl-tab-"));
  try {
    return [...(hasClock("bash", ":") ? inBash(folder, times) : []), ...(canZsh() ? inZsh(folder, times) : [])];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inBash(folder: string, times: number): TabCost[] {
  const script = writeCompletion("bash", folder);
  const args = ["--norc", "--noprofile", fileURLToPath(new URL("tab.bash", import.meta.url)), script, String(times)];
  return read("bash", runShell("bash", [...args, ...LINES], {}));
}

/** Runs zsh at a terminal that another zsh provides, because completion runs only in zsh's line editor. */
function inZsh(folder: string, times: number): TabCost[] {
  const script = writeCompletion("zsh", folder);
  copyFileSync(new URL("tab.zsh", import.meta.url), join(folder, ".zshrc"));
  const told = join(folder, "told");
  const hold = "zmodload zsh/zpty; zpty inner zsh -d -i; while zpty -r inner shown; do :; done; zpty -d inner";
  runShell("zsh", ["-f", "-c", hold], {
    ...{ ZDOTDIR: folder, TERM: "xterm", TAB_SCRIPT: script, TAB_OUTPUT: told },
    ...{ TAB_TIMES: String(times), TAB_LINES: LINES.join("\n") },
  });
  return read("zsh", readFileSync(told, "utf8"));
}

/** Whether the shell has a microsecond clock: bash since 5.0, zsh in a module. */
function hasClock(shell: string, first: string): boolean {
  const { status, stdout } = spawnSync(shell, ["-c", `${first}; printf %s "$EPOCHREALTIME"`]);
  return status === 0 && stdout.length > 0;
}

function canZsh(): boolean {
  return hasClock("zsh", "zmodload zsh/datetime zsh/zpty zsh/mathfunc");
}

function writeCompletion(shell: string, folder: string): string {
  const file = join(folder, `msgctl.${shell}`);
  writeFileSync(file, execFileSync(process.execPath, [ownProgram, "completion", shell]));
  return file;
}

function runShell(shell: string, args: readonly string[], env: Readonly<Record<string, string>>): string {
  const { status, stdout, stderr } = spawnSync(shell, args, {
    env: { PATH: process.env.PATH, ...env },
    encoding: "utf8",
    timeout: TIMEOUT_MS,
  });
  if (status !== 0 || stderr !== "") throw new Error(`${shell} ended with ${status}: ${stderr.slice(0, 500)}`);
  return stdout;
}

/**
 * Reads lines of tab-separated fields: line, offered words, processes, microseconds. The first line checks the process count.
 */
function read(shell: string, told: string): TabCost[] {
  const [[, control] = [], ...rows] = told
    .trimEnd()
    .split("\n")
    .map((row) => row.split("\t"));
  if (rows.length !== LINES.length) throw new Error(`${shell} reported ${rows.length} of ${LINES.length} lines`);
  // if the process of the control line was not counted, no count is valid
  const isCounted = Number(control) > 0;
  return rows.map(([line = "", offered, started, micros = ""]) => {
    if (!(Number(offered) > 0)) throw new Error(`${shell} offers nothing for ${JSON.stringify(line)}`);
    const taken = micros.split(" ").map((text) => Number(text) / 1000);
    return {
      ...{ shell, line, offered: Number(offered), medianMs: median(taken), worstMs: Math.max(...taken) },
      started: isCounted ? Number(started) : undefined,
    };
  });
}
